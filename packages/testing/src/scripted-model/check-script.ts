import type { Script, ScriptedCall, ScriptedTurn } from './script.ts';
import { FAULTS, FINISHES } from './script-words.ts';

const FIELDS = {
  script: ['turns', 'pieceLength'],
  turn: ['reasoning', 'text', 'calls', 'finish', 'usage', 'fault', 'expect'],
  call: ['name', 'arguments', 'id'],
  usage: ['inputTotal', 'cacheRead', 'cacheWrite', 'outputTotal', 'reasoning'],
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
  for (const [place, turn] of turns.entries()) checkTurn(`turn ${place + 1}`, turn);
}

function checkTurn(where: string, turn: ScriptedTurn): void {
  checkFields('turn', where, turn);
  const { calls, expect, fault, finish, reasoning, text, usage } = turn;
  need(isText(text), `the text of ${where} is a text`);
  need(isText(reasoning), `the reasoning of ${where} is a text`);
  need(finish === undefined || FINISHES.includes(finish), `the finish of ${where} is ${FINISHES.join(', ')}`);
  need(calls === undefined || Array.isArray(calls), `the calls of ${where} are a list`);
  for (const call of calls ?? []) checkCall(`a call of ${where}`, call);
  if (usage !== undefined) checkFields('usage', `the usage of ${where}`, usage);
  if (fault !== undefined) {
    checkFields('fault', `the fault of ${where}`, fault);
    need(FAULTS.includes(fault.kind), `the kind of the fault of ${where} is ${FAULTS.join(', ')}`);
  }
  if (expect !== undefined) checkFields('expect', `what ${where} expects`, expect);
}

function checkCall(where: string, call: ScriptedCall): void {
  checkFields('call', where, call);
  const { arguments: given, id, name } = call;
  need(typeof name === 'string', `${where} has a name`);
  need(isText(id), `the id of ${where} is a text`);
  const written = isText(given) || (typeof given === 'object' && given !== null);
  need(written, `the arguments of ${where} are a text or an object`);
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function need(holds: boolean, otherwise: string): void {
  if (!holds) throw new TypeError(otherwise);
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
