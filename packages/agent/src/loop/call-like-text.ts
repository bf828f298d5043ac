/** Longer texts are answers, whatever stands in them. */
const MAX_LENGTH = 4_000;
/** The ways models write a call into their text instead of making it. */
const SHAPES: readonly RegExp[] = [
  /^\s*(?:```\w*\s*)?[[{]\s*"(?:name|tool|tool_name|function|functionCall|function_call|tool_calls)"\s*:/,
  /<(?:tool_call|function_call|invoke|function=)/,
  /```(?:tool_code|tool_call|function_call)\b/,
];

/**
 * Whether an answer without calls looks as if the model meant one. Text is never executed; this is for a warning.
 *
 * @param names - The offered tools; a name alone is no sign.
 */
export function isCallLikeText(text: string, names: readonly string[]): boolean {
  if (text.length > MAX_LENGTH || text === '') return false;
  if (SHAPES.some((shape) => shape.test(text))) return true;
  const start = text.trimStart();
  return names.some((name) => start.startsWith(`${name}(`) || start.startsWith(`print(default_api.${name}(`));
}
