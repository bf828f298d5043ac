import type { Script } from './script.ts';

const FIELDS = {
  script: ['turns', 'pieceLength'],
  turn: ['reasoning', 'text', 'calls', 'finish', 'usage', 'fault', 'expect'],
  call: ['name', 'arguments', 'id'],
  fault: ['kind', 'status', 'message', 'headers', 'abrupt', 'text'],
  expect: ['userText', 'tools', 'results'],
} as const;

/**
 * Refuses what a script does not know: an answer or an expectation that is misspelt would be none, and the test would pass.
 *
 * @throws TypeError that says where.
 */
export function checkScript(script: Script): void {
  const { turns, pieceLength = 1 } = script;
  if (!Array.isArray(turns)) throw new TypeError('a script is { turns: [ … ] }, one turn for each request');
  checkFields('script', 'the script', script);
  if (!Number.isSafeInteger(pieceLength) || pieceLength < 1)
    throw new TypeError('pieceLength is a whole number from 1');
  for (const [place, turn] of turns.entries()) {
    const where = `turn ${place + 1}`;
    checkFields('turn', where, turn);
    for (const call of turn.calls ?? []) checkFields('call', `a call of ${where}`, call);
    if (turn.fault !== undefined) checkFields('fault', `the fault of ${where}`, turn.fault);
    if (turn.expect !== undefined) checkFields('expect', `what ${where} expects`, turn.expect);
  }
}

function checkFields(kind: keyof typeof FIELDS, where: string, value: object): void {
  if (typeof value !== 'object' || value === null) throw new TypeError(`${where} is an object`);
  const known: readonly string[] = FIELDS[kind];
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(
    `${where} has no ${JSON.stringify(unknown.slice(0, 40))}; there are ${known.join(', ')}`,
  );
}
