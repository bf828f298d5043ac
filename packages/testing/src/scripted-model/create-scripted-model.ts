import { writeJson } from '@toolgate/core';
import { type Model, type ModelCall, ModelError, type ModelEvent } from '@toolgate/model';
import { checkRequest } from './check-request.ts';
import { checkScript } from './check-script.ts';
import type { Script, ScriptedTurn } from './script.ts';

/** A model that follows a script, and remembers what it was asked. */
export interface ScriptedModel extends Model {
  /** Every request so far, the history copied. */
  readonly requests: readonly ModelCall[];
}

const DEFAULT_PIECE_LENGTH = 12;

/**
 * Makes a model that says what a script says: turn after turn, streamed in small pieces. A request that the script did
 * not expect, or one turn too many, throws a plain `Error` that says what differs: a test has to fail on it.
 *
 * @throws TypeError for what has no `turns`, and for what a script does not know.
 */
export function createScriptedModel(script: Script): ScriptedModel {
  checkScript(script);
  const { turns } = script;
  const pieceLength = script.pieceLength ?? DEFAULT_PIECE_LENGTH;
  const requests: ModelCall[] = [];
  return Object.freeze({
    id: 'scripted',
    capabilities: new Set(['streaming', 'tools', 'parallel_tool_calls', 'reasoning']),
    requests,
    async *stream(call: ModelCall, { signal }: { readonly signal: AbortSignal }): AsyncGenerator<ModelEvent> {
      const number = requests.length + 1;
      requests.push({ ...call, items: [...call.items] });
      const turn = turns[number - 1];
      if (turn === undefined)
        throw new Error(`the script has ${turns.length} turns; this is request ${number}`);
      checkRequest(call, turn.expect ?? {}, number);
      yield* speak(turn, number, pieceLength, signal);
    },
  });
}

async function* speak(
  turn: ScriptedTurn,
  number: number,
  pieceLength: number,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { fault, calls = [] } = turn;
  if (fault?.kind === 'error') {
    throw new ModelError('model/http-status', fault.message ?? 'The provider failed.', {
      status: fault.status ?? 500,
    });
  }
  yield { kind: 'response-start', id: `scripted-${number}`, model: 'scripted' };
  let index = 0;
  if (turn.reasoning !== undefined) {
    yield { kind: 'reasoning-start', index };
    for (const piece of pieces(turn.reasoning, pieceLength))
      yield { kind: 'reasoning-delta', index, text: piece };
    yield { kind: 'reasoning-end', index: index++ };
  }
  if (turn.text !== undefined) {
    yield { kind: 'text-start', index };
    for (const piece of pieces(turn.text, pieceLength)) yield { kind: 'text-delta', index, text: piece };
    yield { kind: 'text-end', index: index++ };
  }
  for (const [place, call] of calls.entries()) {
    const callId = call.id ?? `call_${number}_${place}`;
    const text = typeof call.arguments === 'object' ? writeJson(call.arguments) : (call.arguments ?? '');
    yield { kind: 'call-start', index, callId, name: call.name };
    for (const delta of pieces(text, pieceLength)) yield { kind: 'call-delta', index, delta };
    if (fault?.kind === 'cut-off' && place === calls.length - 1) break;
    yield { kind: 'call-end', index: index++, callId, name: call.name, arguments: text };
  }
  if (fault?.kind === 'silence') await aborted(signal);
  if (fault !== undefined) {
    yield fault.kind === 'garbage'
      ? { kind: 'response-error', code: 'model/stream-invalid', message: 'The stream could not be read.' }
      : { kind: 'response-error', code: 'model/stream-incomplete', message: 'The stream ended too early.' };
    return;
  }
  if (turn.usage !== undefined) {
    const unknown = {
      inputTotal: null,
      cacheRead: null,
      cacheWrite: null,
      outputTotal: null,
      reasoning: null,
    };
    yield { kind: 'usage', usage: { ...unknown, ...turn.usage } };
  }
  yield { kind: 'response-end', finish: turn.finish ?? (calls.length > 0 ? 'tool-calls' : 'stop') };
}

/** Whole characters, a few at a time. */
function pieces(text: string, length: number): readonly string[] {
  const characters = Array.from(text);
  const result: string[] = [];
  for (let at = 0; at < characters.length; at += length)
    result.push(characters.slice(at, at + length).join(''));
  return result;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(new ModelError('model/cancelled', 'The model call was cancelled.'));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
