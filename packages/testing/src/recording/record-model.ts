import { type Model, type ModelCall, ModelError, type ModelEvent, redactSecrets } from '@toolgate/model';
import type { RecordedEnd, RecordedTurn, Recording, Redact } from './recording.ts';
import { redactEvents, redactRequest } from './redact-turn.ts';

/** A model that works as before, and whose conversation is kept. */
export interface RecordingModel extends Model {
  /** Everything so far: turns that are over, in the order in which they were asked for. */
  recording(): Recording;
}

/** Settings of {@link recordModel} and {@link createReplayModel}; the two must be given the same `redact`. */
export interface RecordingOptions {
  /** Applied to every text, member names apart. Default: what looks like a credential becomes a mark. */
  readonly redact?: Redact;
}

/** Redacts what looks like a credential, to a provider's client or to the gate. */
export const redactByDefault: Redact = (text) => redactSecrets(text, []);

/** Wraps a model so that what it is asked, and what it says, can be written down and replayed. */
export function recordModel(
  model: Model,
  { redact = redactByDefault }: RecordingOptions = {},
): RecordingModel {
  const turns: (RecordedTurn | undefined)[] = [];
  return Object.freeze({
    id: model.id,
    capabilities: model.capabilities,
    async *stream(call: ModelCall, options: Parameters<Model['stream']>[1]): AsyncGenerator<ModelEvent> {
      const place = turns.push(undefined) - 1;
      const request = redactRequest(call, redact);
      const events: ModelEvent[] = [];
      let end: RecordedEnd | undefined = { kind: 'left' };
      try {
        for await (const event of model.stream(call, options)) {
          events.push(event);
          yield event;
        }
        end = undefined;
      } catch (error) {
        end = toEnd(error, redact);
        throw error;
      } finally {
        turns[place] = {
          request,
          events: redactEvents(events, redact),
          ...(end === undefined ? {} : { end }),
        };
      }
    },
    recording: () => ({
      version: 1 as const,
      model: model.id,
      capabilities: [...model.capabilities],
      turns: turns.filter((turn) => turn !== undefined),
    }),
  });
}

function toEnd(error: unknown, redact: Redact): RecordedEnd {
  if (!ModelError.is(error))
    return { kind: 'error', code: 'model/provider-error', message: 'The model failed.' };
  const { code, message, status, requestId } = error;
  return {
    kind: 'error',
    code,
    message: redact(message),
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId: redact(requestId) }),
  };
}
