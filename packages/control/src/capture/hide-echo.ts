import type { JsonObject, JsonValue } from '@toolgate/core';
import type { Extensions, ModelEvent } from '@toolgate/model';
import type { CheckedControlSpec } from '../spec/control-spec.ts';

type Envelope = Extract<ModelEvent, { readonly kind: 'response-start' | 'response-end' }>;

/**
 * An envelope of the answer without what it echoes of the control tool: OpenAI Responses sends the tools and the
 * instructions of the request back with every answer. The same event where there is no such echo.
 */
export function hideEcho<Event extends Envelope>(event: Event, spec: CheckedControlSpec): Event;
export function hideEcho(event: Envelope, spec: CheckedControlSpec): Envelope {
  if (event.extensions === undefined) return event;
  const members = hideMembers(event.extensions.members, spec);
  if (members === event.extensions.members) return event;
  if (Object.keys(members).length === 0) {
    const { extensions: _, ...rest } = event;
    return Object.freeze(rest);
  }
  const extensions: Extensions = Object.freeze({ ...event.extensions, members: Object.freeze(members) });
  return Object.freeze({ ...event, extensions });
}

function hideMembers(members: JsonObject, spec: CheckedControlSpec): JsonObject {
  if (!Object.hasOwn(members, 'tools') && !Object.hasOwn(members, 'instructions')) return members;
  const { tools, instructions, ...rest } = members;
  const shownTools = hideTool(tools, spec.tool.name);
  const shownInstructions = hideText(instructions, spec.instruction.text);
  if (shownTools === tools && shownInstructions === instructions) return members;
  // What echoes nothing any more is left out, as a codec leaves out what says nothing.
  return {
    ...rest,
    ...(shownTools === undefined ? {} : { tools: shownTools }),
    ...(shownInstructions === undefined ? {} : { instructions: shownInstructions }),
  };
}

function hideTool(tools: JsonValue | undefined, name: string): JsonValue | undefined {
  if (!Array.isArray(tools)) return tools;
  const shown = tools.filter((tool: JsonValue) => !isNamed(tool, name));
  if (shown.length === tools.length) return tools;
  return shown.length === 0 ? undefined : shown;
}

function isNamed(tool: JsonValue, name: string): boolean {
  return (
    typeof tool === 'object' &&
    tool !== null &&
    Object.entries(tool).some(([key, value]) => {
      // Some descendants of the wire keep the nested form of Chat.
      return key === 'name' ? value === name : key === 'function' && isNamed(value, name);
    })
  );
}

function hideText(instructions: JsonValue | undefined, text: string): JsonValue | undefined {
  if (typeof instructions === 'string') {
    if (instructions.startsWith(`${text}\n\n`)) return instructions.slice(text.length + 2) || undefined;
    return instructions.includes(text) ? undefined : instructions;
  }
  if (!Array.isArray(instructions)) return instructions;
  const quoted = JSON.stringify(text);
  const shown = instructions.filter((item: JsonValue) => !JSON.stringify(item).includes(quoted));
  if (shown.length === instructions.length) return instructions;
  return shown.length === 0 ? undefined : shown;
}
