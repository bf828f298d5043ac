import type { Item, ModelCall } from '@toolgate/model';
import {
  type CheckedControlSpec,
  type ControlSpec,
  type Projection,
  project,
  validateSpec,
} from '../src/index.ts';

/** Members of a backend that can call tools. */
export const TOOLS: ReadonlySet<string> = new Set(['tools']);

/** A control tool named `finish` with small arguments. */
export const SPEC: CheckedControlSpec = validateSpec({
  tool: { name: 'finish', description: 'Ends the task.', parameters: { type: 'object' } },
  instruction: { role: 'system', text: 'Call finish when done.' },
  maxArgsBytes: 64,
} satisfies ControlSpec);

/** A message of one text. */
export function message(role: 'user' | 'assistant' | 'system' | 'developer', text: string): Item {
  return { kind: 'message', role, parts: [{ kind: 'text', text }] };
}

/** A call with instructions, tools and a history. */
export function callOf(change: Partial<ModelCall> = {}): ModelCall {
  return {
    model: 'm',
    instructions: [
      { role: 'system', text: 'Be brief.' },
      { role: 'developer', text: 'Speak English.' },
    ],
    items: [message('user', 'Hello'), message('assistant', 'Hi'), message('user', 'Go on')],
    tools: [
      { kind: 'function', name: 'lookup', description: 'Looks up.', parameters: { type: 'object' } },
      { kind: 'function', name: 'store', parameters: null },
    ],
    ...change,
  };
}

/** An active projection of {@link callOf}. */
export function active(change: Partial<ModelCall> = {}): {
  readonly call: ModelCall;
  readonly projection: Projection;
} {
  const projected = project(callOf(change), SPEC, TOOLS);
  if (!projected.projection.active) throw new Error(`inactive: ${projected.projection.reason}`);
  return projected;
}
