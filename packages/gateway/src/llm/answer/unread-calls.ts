import type { JsonObject, JsonValue } from '@toolgate/core';
import type { Loss, Protocol } from '@toolgate/model';

/** Places whose losses may be calls. */
const CALLS = /^\/(?:choices|candidates)$|^\/choices\/0\/message\/(?:tool_calls|function_call)$/;
const LIMIT = 64;

/**
 * Whether a whole answer holds calls that reading it left out: those of a second answer, a call that is said twice, a
 * custom call that was cut off.
 *
 * @param losses - What reading it said.
 */
export function holdsUnreadCalls(protocol: Protocol, body: JsonValue, losses: readonly Loss[]): boolean {
  const dropped = losses.filter(({ code, path }) => code === 'dropped' && CALLS.test(path));
  if (dropped.some(({ path }) => path.startsWith('/choices/0/'))) return true;
  if (dropped.length === 0) return false;
  const answers = listOf(body, protocol === 'gemini' ? 'candidates' : 'choices');
  // Nobody asks for so many; they are not looked through.
  if (answers.length > LIMIT) return true;
  return answers.slice(1).some((answer) => (protocol === 'gemini' ? callsInContent : callsInMessage)(answer));
}

function callsInMessage(choice: JsonValue): boolean {
  const message = memberOf(choice, 'message');
  return listOf(message, 'tool_calls').length > 0 || isObject(memberOf(message, 'function_call'));
}

function callsInContent(candidate: JsonValue): boolean {
  return listOf(memberOf(candidate, 'content'), 'parts').some(
    (part) => isObject(memberOf(part, 'functionCall')) || isObject(memberOf(part, 'function_call')),
  );
}

function listOf(value: JsonValue | undefined, name: string): readonly JsonValue[] {
  const list = memberOf(value, name);
  return Array.isArray(list) ? (list as readonly JsonValue[]) : [];
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
