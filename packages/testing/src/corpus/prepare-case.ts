import { canonicalJson, cloneJson, type JsonValue, readJson, systemClock } from '@toolgate/core';
import { approvers } from '../behaviour/approvers.ts';
import { authorizers } from '../behaviour/authorizers.ts';
import { availabilities } from '../behaviour/availabilities.ts';
import { definitionShapes } from '../behaviour/definition-shapes.ts';
import { handlerOf } from '../behaviour/handlers.ts';
import type { Stage } from '../behaviour/stage.ts';
import { validators } from '../behaviour/validators.ts';
import { createFakeClock, type FakeClock } from '../clock/fake-clock.ts';
import { type CaseRecorder, createCaseRecorder } from './case-recorder.ts';
import type { CorpusSetup, CorpusTool } from './corpus-adapter.ts';
import type { CorpusCase, CorpusToolSpec } from './corpus-case.ts';
import { textOf } from './text-spec.ts';

/** A case that is ready to be put to a system. */
export interface PreparedCase {
  readonly setup: CorpusSetup;
  readonly recorder: CaseRecorder;
  /** Cancels the run. */
  readonly abort: () => void;
  /** Lets everything that waits without end go on. */
  readonly release: () => void;
  /** The clock to move; absent when the system keeps time by the platform. */
  readonly clock: FakeClock | undefined;
}

/** Looks a behaviour up. @throws RangeError for an id that none has. */
export function behaviour<Made>(kind: string, all: ReadonlyMap<string, Made>, id: string): Made {
  const found = all.get(id);
  if (found === undefined) throw new RangeError(`no ${kind} is called ${id}`);
  return found;
}

function received(input: unknown): string | undefined {
  try {
    return canonicalJson(input as JsonValue);
  } catch {
    // Not a JSON value; that is all there is to say about it.
    return undefined;
  }
}

function definitionOf(spec: CorpusToolSpec): CorpusTool['definition'] {
  const { inputSchema = { type: 'object' }, inputSchemaText, outputSchema, annotations } = spec;
  const schema =
    inputSchemaText === undefined
      ? cloneJson(inputSchema)
      : readJson(textOf(inputSchemaText), { forbiddenMembers: 'allow', maxDepth: 'none', maxBytes: 'none' });
  const definition: CorpusTool['definition'] = {
    name: textOf(spec.name),
    ...(spec.title === undefined ? {} : { title: textOf(spec.title) }),
    description: textOf(spec.description ?? 'Does one harmless thing for a test.'),
    inputSchema: schema,
    ...(outputSchema === undefined ? {} : { outputSchema: cloneJson(outputSchema) }),
    ...(annotations === undefined ? {} : { annotations: cloneJson(annotations) }),
  };
  return spec.shape === undefined
    ? definition
    : behaviour('definition shape', definitionShapes, spec.shape)(definition);
}

function liveTool(spec: CorpusToolSpec, stage: Stage, recorder: CaseRecorder): CorpusTool {
  const { returns } = spec;
  const name = textOf(spec.name);
  const handler = returns === undefined ? handlerOf(spec.handler ?? 'echo', stage) : () => cloneJson(returns);
  return {
    spec,
    definition: definitionOf(spec),
    execute: (input, context) => recorder.record(name, received(input), () => handler(input, context)),
    ...(spec.authorize === undefined
      ? {}
      : { authorize: behaviour('authorizer', authorizers, spec.authorize)(stage) }),
    ...(spec.available === undefined
      ? {}
      : { available: behaviour('availability', availabilities, spec.available)(stage) }),
    ...(spec.validate === undefined
      ? {}
      : { validate: behaviour('validator', validators, spec.validate)(stage) }),
  };
}

/** Makes the live tools, policies and clock of one case. `onStart` is called when a handler starts. */
export function prepareCase(item: CorpusCase, time: 'fake' | 'real', onStart: () => void): PreparedCase {
  const clock = time === 'fake' ? createFakeClock({ now: 1_700_000_000_000 }) : undefined;
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const controller = new AbortController();
  const abort = (): void => controller.abort(new DOMException('The run was cancelled.', 'AbortError'));
  const stage: Stage = { clock: clock ?? systemClock, released, cancel: abort };
  const recorder = createCaseRecorder(onStart);
  return {
    setup: {
      tools: item.tools.map((spec) => liveTool(spec, stage, recorder)),
      policy: item.policy ?? {},
      approve: behaviour('approver', approvers, item.policy?.approver ?? 'allow')(stage),
      clock: stage.clock,
      signal: controller.signal,
    },
    recorder,
    abort,
    release: () => release(),
    clock,
  };
}
