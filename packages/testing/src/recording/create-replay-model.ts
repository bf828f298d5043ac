import { type Model, type ModelCall, ModelError, type ModelEvent } from '@toolgate/model';
import { firstDifference } from './first-difference.ts';
import { type RecordingOptions, redactByDefault } from './record-model.ts';
import type { RecordedTurn, Recording } from './recording.ts';
import { redactRequest } from './redact-turn.ts';

/**
 * Makes a model that says again what a recording holds, turn after turn. A request that is not the recorded one, or one
 * too many, throws a plain `Error` with the place of the first difference: a test has to fail on it.
 */
export function createReplayModel(
  recording: Recording,
  { redact = redactByDefault }: RecordingOptions = {},
): Model {
  let asked = 0;
  return Object.freeze({
    id: recording.model,
    capabilities: new Set(recording.capabilities),
    async *stream(call: ModelCall, { signal }: Parameters<Model['stream']>[1]): AsyncGenerator<ModelEvent> {
      asked += 1;
      const turn = recording.turns[asked - 1];
      if (turn === undefined)
        throw new Error(`the recording has ${recording.turns.length} turns; this is request ${asked}`);
      const place = firstDifference(turn.request, redactRequest(call, redact));
      if (place !== undefined)
        throw new Error(`request ${asked} differs from the recording at ${place === '' ? '/' : place}`);
      for (const event of turn.events) {
        if (signal.aborted) throw new ModelError('model/cancelled', 'The model call was cancelled.');
        yield event;
      }
      finish(turn, asked);
    },
  });
}

function finish({ end }: RecordedTurn, number: number): void {
  if (end === undefined) return;
  if (end.kind === 'left') throw new Error(`the recording of request ${number} was left before its end`);
  const { code, message, status, requestId } = end;
  throw new ModelError(code, message, {
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId }),
  });
}
