import { isJsonObject, type JsonValue } from '@toolgate/core';
import type { Loss, Protocol, UnreadCall } from '@toolgate/model';

/** Places whose losses may be calls. */
const OTHERS = /^\/(?:choices|candidates)$/;
const OF_FIRST = /^\/choices\/0\/message\/(tool_calls|function_call)$/;
const PIECE = '/choices/0/delta';
const LIMIT = 64;
/** Stands for calls that cannot be told one by one. */
const UNTOLD: readonly UnreadCall[] = Object.freeze([Object.freeze({ place: '', callId: '', name: '' })]);

/**
 * The calls of a whole answer that reading it left out: those of a second answer, a call that is said twice, a custom
 * call that was cut off, one that stands in the form of a stream.
 *
 * @param losses - What reading it said.
 */
export function unreadCalls(
  protocol: Protocol,
  body: JsonValue,
  losses: readonly Loss[],
): readonly UnreadCall[] {
  const dropped = losses.flatMap(({ code, path }) => (code === 'dropped' ? [path] : []));
  const forms = dropped.flatMap((path) => OF_FIRST.exec(path)?.[1] ?? []);
  const others = dropped.some((path) => OTHERS.test(path));
  const piece = dropped.includes(PIECE);
  if (forms.length === 0 && !others && !piece) return [];
  const gemini = protocol === 'gemini';
  const answers = listOf(body, gemini ? 'candidates' : 'choices');
  // Nobody asks for so many; they are not looked through.
  if (answers.length > LIMIT) return UNTOLD;
  const first = memberOf(answers[0], 'message');
  const calls = [
    ...(forms.includes('function_call') ? legacyCall(first, 0) : []),
    ...(forms.includes('tool_calls') ? listedCalls(first, 0).filter(({ ordinary }) => !ordinary) : []),
    // Some clients read whole answers and pieces by one function, which looks for a piece first.
    ...(piece ? callsInMessage(memberOf(answers[0], 'delta'), 0) : []),
    ...(others ? answers.slice(1) : []).flatMap((answer, at) =>
      gemini ? callsInContent(answer, at + 1) : callsInMessage(memberOf(answer, 'message'), at + 1),
    ),
  ];
  return calls.length === 0 && forms.length > 0 ? UNTOLD : calls;
}

function callsInMessage(message: JsonValue | undefined, choice: number): readonly UnreadCall[] {
  return [...listedCalls(message, choice), ...legacyCall(message, choice)];
}

function listedCalls(
  message: JsonValue | undefined,
  choice: number,
): readonly (UnreadCall & { readonly ordinary: boolean })[] {
  return listOf(message, 'tool_calls').map((call, at) => {
    const ordinary = memberOf(call, 'function');
    return {
      place: `/choices/${choice}/message/tool_calls/${at}`,
      callId: textOf(call, 'id'),
      name: textOf(ordinary ?? memberOf(call, 'custom'), 'name'),
      ordinary: ordinary !== undefined,
    };
  });
}

function legacyCall(message: JsonValue | undefined, choice: number): readonly UnreadCall[] {
  const call = memberOf(message, 'function_call');
  if (!isJsonObject(call)) return [];
  return [{ place: `/choices/${choice}/message/function_call`, callId: '', name: textOf(call, 'name') }];
}

function callsInContent(candidate: JsonValue, at: number): readonly UnreadCall[] {
  return listOf(memberOf(candidate, 'content'), 'parts').flatMap((part, index) => {
    const call = memberOf(part, 'functionCall') ?? memberOf(part, 'function_call');
    if (!isJsonObject(call)) return [];
    const place = `/candidates/${at}/content/parts/${index}`;
    return [{ place, callId: textOf(call, 'id'), name: textOf(call, 'name') }];
  });
}

function listOf(value: JsonValue | undefined, name: string): readonly JsonValue[] {
  const list = memberOf(value, name);
  return Array.isArray(list) ? (list as readonly JsonValue[]) : [];
}

function textOf(value: JsonValue | undefined, name: string): string {
  const text = memberOf(value, name);
  return typeof text === 'string' ? text : '';
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
