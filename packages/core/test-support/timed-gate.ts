import { createFakeClock, type FakeClock } from '../../testing/src/clock/fake-clock.ts';
import { createGate, type Gate } from '../src/gate/create-gate.ts';
import type { GateConfig } from '../src/gate/gate-config.ts';
import type { GateEvent } from '../src/gate/gate-event.ts';
import { defineTool } from '../src/tool/define-tool.ts';
import type { Profile } from '../src/tool/profile.ts';
import type { CallContext } from '../src/tool/tool.ts';
import type { ToolCall } from '../src/tool/tool-call.ts';

/** What the tool of a timed gate does; its arguments do not matter. */
export type Handler = (call: CallContext) => unknown;

/** A gate with one tool on a clock that stands still, and what its observers are told. */
export interface TimedGate {
  readonly clock: FakeClock;
  readonly events: GateEvent[];
  readonly gate: Gate;
}

/** Makes a gate on a fake clock with one tool, `t`. */
export function timed(handler: Handler, profile: Profile = {}, config: Partial<GateConfig> = {}): TimedGate {
  const clock = createFakeClock({ now: 5_000 });
  const events: GateEvent[] = [];
  const tool = defineTool({
    name: 't',
    description: '',
    input: { type: 'object' },
    profile: { class: 'read', ...profile },
    execute: (_input, call) => handler(call),
  });
  const gate = createGate({ tools: [tool], clock, observe: (event) => events.push(event), ...config });
  return { clock, events, gate };
}

/** A call of the tool of a timed gate. */
export const call = (id = 'c1'): ToolCall => ({ id, name: 't', arguments: '{}' });

export const never = (): Promise<never> => new Promise(() => {});

/** Settles when the signal is aborted, in the given way. */
export const onAbort =
  (settle: (signal: AbortSignal) => unknown): Handler =>
  ({ signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(settle(signal)));
    });
