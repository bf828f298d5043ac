import { expect, test } from 'vitest';
import { records, requests, response } from './completion.example.ts';
import { captured, edited, proved, shown } from './projection.example.ts';

test('the backend has the tool, the client has the answer', () => {
  expect(requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
    ['attempt_completion'],
    ['attempt_completion'],
  ]);
  expect(response.finish).toBe('stop');
  expect(JSON.stringify(response.items)).toContain('Checkout is taken down on 2 December.');
  expect(JSON.stringify(response)).not.toContain('attempt_completion');
  expect(records.map(({ decisionReason }) => decisionReason)).toEqual([
    'missing_completion_signal',
    'explicit_completion',
  ]);
});

test('the parts project, prove, edit and capture', () => {
  expect(proved.tools?.at(-1)?.name).toBe('attempt_completion');
  expect(edited).toContain('"seed":1.0,"x_own":true');
  expect(edited).toContain('"attempt_completion"');
  expect(shown.map(({ kind }) => kind)).toEqual(['response-start', 'response-end']);
  expect(captured).toMatchObject({ argsJson: '{"result":"Hello."}' });
});
