import { applyEdits, type Edit } from '@toolgate/model';
import { expect, test } from 'vitest';
import { editedBytes } from './edited-bytes.ts';

const LONG = 'a'.repeat(5_000);
const body = (word: string): string =>
  JSON.stringify({ model: 'm', messages: [{ role: 'user', content: `${LONG}${word}` }] });

const model = (name: string): Edit => ({ kind: 'set-model', model: name });
const instruct = (text: string): Edit => ({ kind: 'prepend-instruction', role: 'system', text });
const append = (description: string): Edit => ({
  kind: 'append-tool',
  tool: { kind: 'function', name: 't', description, parameters: { type: 'object' } },
});
const keep: Edit = { kind: 'filter-tools', keep: ['größe'], foreign: 'keep' };

test.each([
  ['nothing beyond ASCII', 'x', [model('n'), keep, append('d'), instruct('i')]],
  ['a body beyond ASCII', 'Łü😀', [model('n')]],
  ['a body of Latin-1', 'ü', [model('n')]],
  ['a model beyond ASCII', 'x', [model('Ł')]],
  ['a tool beyond ASCII', 'x', [append('Ł')]],
  ['an instruction beyond ASCII', 'x', [instruct('ü')]],
  ['a short body', '', [model('Ł')]],
])('%s is encoded as UTF-8', (name, word, edits) => {
  const text = name === 'a short body' ? '{"model":"m","messages":[]}' : body(word);
  const edited = applyEdits('openai-chat', text, edits);
  const bytes = editedBytes(edited, edits, { body: Buffer.from(text), text });
  expect(bytes.equals(Buffer.from(edited, 'utf8'))).toBe(true);
});
