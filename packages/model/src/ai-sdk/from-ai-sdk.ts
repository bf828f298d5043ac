import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { type Clock, ignoreThrown, systemClock } from '@toolgate/core';
import type { ModelCall } from '../call/model-call.ts';
import { readAttemptOptions } from '../driver/attempt-options.ts';
import { ENDPOINTS } from '../driver/endpoint.ts';
import { refuseUnsafe } from '../driver/http-model.ts';
import { createCallPreparer } from '../driver/prepare-call.ts';
import { describeRequest } from '../driver/request-shape.ts';
import type { RetryOptions } from '../driver/retry.ts';
import { stoppable } from '../driver/stoppable.ts';
import { type Attempt, type AttemptSettings, streamAttempts } from '../driver/stream-attempts.ts';
import { untilAborted } from '../driver/until-aborted.ts';
import { checkSignals, type ModelTimeouts, type Watchdog } from '../driver/watchdog.ts';
import type { ModelEvent } from '../event/model-event.ts';
import type { Capability, Model, ModelRequestOptions } from '../model.ts';
import { ModelError } from '../model-error.ts';
import { NAME_RULES } from '../naming/name-map.ts';
import type { SchemaProfile } from '../projection/schema-profile.ts';
import type { SchemaTarget } from '../projection/schema-profiles.ts';
import { aiSdkError } from './ai-sdk-error.ts';
import { aiSdkRoute } from './ai-sdk-route.ts';
import { createPartReader } from './read-parts.ts';
import { toCallOptions } from './to-call-options.ts';

/** Settings of {@link fromAiSdk}; every field has a default. */
export interface AiSdkModelOptions {
  readonly timeouts?: ModelTimeouts;
  readonly retry?: RetryOptions;
  /** Texts that are redacted in errors, for example the key that the language model was made with. Default: none. */
  readonly secrets?: readonly string[];
  /** Refuse a call that cannot be carried without an `error` loss. Default `false`: losses become warnings. */
  readonly strict?: boolean;
  /** What tool schemas are projected onto. Default: what the provider behind the language model accepts. */
  readonly schemas?: SchemaTarget | SchemaProfile | 'as-written';
  /** Default: streaming and tools. */
  readonly capabilities?: Iterable<Capability>;
  readonly clock?: Clock;
  /** In [0, 1); for the jitter of retries. Default `Math.random`. */
  readonly random?: () => number;
}

/**
 * Makes a model of a language model of the AI SDK (specification `v4`, as in `ai` 7), so that every provider of that
 * ecosystem works here, under the same rules for time, retries and losses as our own drivers. Tools that the provider
 * runs itself are kept as foreign items and are never calls for the client.
 *
 * @throws ModelError `model/options-invalid` at once; the iterator throws as a driver does before the first event.
 */
export function fromAiSdk(languageModel: LanguageModelV4, options: AiSdkModelOptions = {}): Model {
  refuseOthers(languageModel);
  const route = aiSdkRoute(languageModel.provider);
  const settings: AttemptSettings = {
    ...readAttemptOptions(options),
    secrets: options.secrets ?? [],
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
  const prepare = createCallPreparer({
    history: { protocol: route.protocol, foreign: 'ai-sdk' },
    schemas: options.schemas ?? ENDPOINTS[route.protocol].schemas,
    names: NAME_RULES[route.protocol],
  });
  const strict = options.strict ?? false;

  async function* streamCall(
    call: ModelCall,
    signals: readonly AbortSignal[],
  ): AsyncGenerator<ModelEvent, void> {
    try {
      checkSignals(signals);
      const prepared = prepare(call);
      const { value, losses: own } = toCallOptions(prepared.call, route);
      const losses = [...prepared.losses, ...own];
      if (strict) refuseUnsafe(losses);
      const attempt = async (watchdog: Watchdog): Promise<Attempt> => {
        const { signal } = watchdog;
        try {
          const asked = languageModel.doStream({ ...value, abortSignal: signal });
          const { stream } = await untilAborted(Promise.resolve(asked), signal, (late) =>
            close(late.stream.getReader()),
          );
          return { kind: 'answer', batches: readStream(stream, settings, watchdog) };
        } catch (error) {
          return {
            kind: 'failure',
            ...aiSdkError(error, settings.secrets, describeRequest(call), settings.clock.now()),
          };
        }
      };
      yield* streamAttempts({ signals, losses, restorer: prepared.createRestorer(), attempt }, settings);
    } catch (error) {
      // Of a clock that throws a promise, by a slip.
      ignoreThrown(error);
      throw error;
    }
  }

  return Object.freeze({
    id: `${languageModel.provider}:${languageModel.modelId}`,
    capabilities: new Set(options.capabilities ?? ['streaming', 'tools']),
    stream: (call: ModelCall, { signal }: ModelRequestOptions) =>
      stoppable((stopped) => streamCall(call, [signal, stopped])),
  });
}

/** Also what an import that is missing, or a registry of models by name, gives. */
function refuseOthers(languageModel: unknown): void {
  const given = (languageModel ?? {}) as { readonly specificationVersion?: unknown };
  const { specificationVersion: version } = given;
  if (version === 'v4') return;
  const what = typeof version === 'string' ? `, and not ${JSON.stringify(version.slice(0, 16))}` : '';
  throw new ModelError(
    'model/options-invalid',
    `fromAiSdk takes a language model of the specification v4${what}: one of a provider package for ai 7`,
  );
}

async function* readStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  settings: AttemptSettings,
  watchdog: Watchdog,
): AsyncGenerator<readonly ModelEvent[], void, undefined> {
  const parts = createPartReader();
  const reader = stream.getReader();
  let started = false;
  try {
    while (!parts.ended) {
      if (started) watchdog.expect('its next event', settings.timeouts.betweenEventsMs);
      const { done, value } = await untilAborted(reader.read(), watchdog.signal).catch((error: unknown) => {
        throw aiSdkError(error, settings.secrets).failure;
      });
      const events = done ? parts.end() : parts.push(value);
      if (events.length === 0) continue;
      started = true;
      // The consumer's own time is not the model's silence.
      watchdog.expect('its next event', 'none');
      yield events;
    }
  } finally {
    close(reader);
  }
}

function close(reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>): void {
  reader.cancel().catch(ignoreThrown);
}
