import type { ModelEvent } from '@toolgate/model';
import { project } from '../projection/project.ts';
import { ControlledFlow, type FlowNext } from './controlled-flow.ts';
import type { ControlledRunConfig } from './controlled-run.ts';

/**
 * One request with a control tool, from the projection to the end of the client's answer: the events for the client,
 * without the control tool, with the published result, over as many attempts as the policy allows.
 *
 * Without a provider, or where the call is not eligible, the call is opened as it is and its events come from `open`
 * itself. Once something has gone out, a failure is a `response-error` and not a throw.
 *
 * @throws ControlError `control/meta-invalid`, `control/options-invalid`, at once; `control/projection-conflict` before
 *   anything is opened; whatever `open` throws before its first output.
 */
export function runControlled(config: ControlledRunConfig): AsyncIterable<ModelEvent> {
  const { call, provider, capabilities, open, signal } = config;
  if (provider === undefined) {
    return open(call, { projection: undefined, attemptSeq: 0, repair: false, edits: [], signal });
  }
  const projected = project(call, provider.spec, capabilities);
  const { projection } = projected;
  if (!projection.active) return open(call, { projection, attemptSeq: 0, repair: false, edits: [], signal });
  const shown: ModelEvent[] = [];
  const own = { ...config, provider, handler: { ...config.handler, signal } };
  const flow = new ControlledFlow(own, projected, (event) => shown.push(event));
  return flowEvents(config, flow, shown);
}

/** @param shown - What the flow emits. */
async function* flowEvents(
  { open, signal }: ControlledRunConfig,
  flow: ControlledFlow,
  shown: ModelEvent[],
): AsyncGenerator<ModelEvent, void, undefined> {
  let next: FlowNext = 'open';
  try {
    while (next === 'open') {
      let broken: { readonly error: unknown } | undefined;
      try {
        const { call, attempt } = flow.open();
        for await (const event of open(call, { ...attempt, signal })) {
          flow.push(event);
          for (const each of shown.splice(0)) yield each;
        }
      } catch (error) {
        broken = { error };
      }
      next = await (broken === undefined ? flow.end() : flow.fail(broken.error));
      for (const each of shown.splice(0)) yield each;
    }
  } finally {
    flow.stop();
  }
}
