import { type Model, type ModelCall, ModelError, type ModelEvent } from '@toolgate/model';
import { firstDifference } from './first-difference.ts';
import { type RecordingOptions, redactByDefault } from './record-model.ts';
import type { RecordedTurn, Recording } from './recording.ts';
import { redactRequest } from './redact-turn.ts';

/** A model that says again what a recording holds. */
export interface ReplayModel extends Model {
  /** How many turns of the recording nobody has asked for yet: 0 at the end of a run that does what it did. */
  readonly unsaid: number;
}

/**
 * Makes a model that says again what a recording holds. A request gets the first turn that was not said yet and was recorded
 * for the same request, so that runs beside each other find their own turns, whichever of them is faster this time. A request
 * for which there is none throws a plain `Error` with the place where it first differs from the next turn: a test has to fail on it.
 */
export function createReplayModel(
  recording: Recording,
  { redact = redactByDefault }: RecordingOptions = {},
): ReplayModel {
  const unsaid = [...recording.turns];
  let asked = 0;
  const take = (call: ModelCall): RecordedTurn => {
    asked += 1;
    const [next] = unsaid;
    if (next === undefined)
      throw new Error(`the recording has ${recording.turns.length} turns; this is request ${asked}`);
    const request = redactRequest(call, redact);
    const found = unsaid.findIndex((turn) => firstDifference(turn.request, request) === undefined);
    const [turn] = found < 0 ? [] : unsaid.splice(found, 1);
    if (turn !== undefined) return turn;
    const place = firstDifference(next.request, request);
    throw new Error(`request ${asked} differs from the recording at ${place === '' ? '/' : place}`);
  };
  return Object.freeze({
    id: recording.model,
    capabilities: new Set(recording.capabilities),
    get unsaid(): number {
      return unsaid.length;
    },
    async *stream(call: ModelCall, { signal }: Parameters<Model['stream']>[1]): AsyncGenerator<ModelEvent> {
      const number = asked + 1;
      const turn = take(call);
      for (const event of turn.events) {
        if (signal.aborted) throw new ModelError('model/cancelled', 'The model call was cancelled.');
        yield event;
      }
      finish(turn, number);
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
