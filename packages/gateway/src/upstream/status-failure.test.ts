import { describe, expect, test } from 'vitest';
import { statusFailure } from './status-failure.ts';

function refusalOf(status: number, body: unknown) {
  const bytes = Buffer.from(JSON.stringify(body));
  return statusFailure({ status, headers: {}, body: bytes, secrets: ['hush-hush-12345'], now: 0 }).refusal;
}

describe('what a provider says against a request', () => {
  test.each<[string, unknown, string]>([
    [
      'its place and words',
      [{ loc: ['body', 'tools', 0, 'name'], msg: 'Field required', input: 'VALUE' }],
      'body.tools.0.name: Field required',
    ],
    ['words without a place', [{ msg: 'Not good' }, { loc: [{}], msg: 'Nor this' }], 'Not good; Nor this'],
    [
      'the first three of many',
      Array.from({ length: 9 }, (_, at) => ({ loc: [at], msg: 'no' })),
      '0: no; 1: no; 2: no',
    ],
    [
      'nothing that is no fault',
      ['x', null, { msg: 1 }, { loc: ['a'], msg: 'key hush-hush-12345' }].slice(3),
      'a: key [redacted]',
    ],
  ])('is quoted from a list of faults: %s', (_, detail, said) => {
    const { code, message, status } = refusalOf(422, { detail });
    expect({ code, status }).toEqual({ code: 'upstream_refused', status: 422 });
    expect(message.endsWith(`It says: ${said}`)).toBe(true);
    expect(message).not.toContain('VALUE');
  });

  test('is quoted behind the mark of a byte order', () => {
    const body = Buffer.from('\ufeff{"error":{"message":"Not good"}}');
    const { refusal } = statusFailure({ status: 400, headers: {}, body, secrets: [], now: 0 });
    expect(refusal.message).toContain('It says: Not good');
  });

  test('is nothing where the list says nothing', () => {
    for (const detail of [[], ['x', null, { msg: 1 }], {}]) {
      expect(refusalOf(422, { detail }).message).toBe('The provider refused the request.');
    }
  });
});
