/** Longer texts are answers, whatever stands in them. */
const MAX_LENGTH = 4_000;
/** The ways models write a call into their text instead of making it. */
const SHAPES: readonly RegExp[] = [
  /^\s*(?:```\w*\s*)?[[{]\s*"(?:name|tool|tool_name|function|functionCall|function_call|tool_calls)"\s*:/,
  // What opens a call, and what is left where a server took the beginning for one and gave the rest as text.
  /<\/?(?:tool_call|function_call|tool_code|invoke|function=)/,
  /<parameter(?: name)?=/,
  /```(?:tool_code|tool_call|function_call)\b/,
  // Marks of the templates that models are trained with.
  /\[TOOL_CALLS\]/,
  /<\|?(?:python_tag|tool_calls?(?:_section)?_begin|tool_call(?:_argument)?_begin)\|>/,
  /<｜tool▁calls?▁(?:begin|end)｜>/,
  /\bto=functions\.\w/,
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
  return names.some((name) => STARTS.some((begin) => start.startsWith(begin(name))));
}

const STARTS: readonly ((name: string) => string)[] = [
  (name) => `${name}(`,
  (name) => `print(default_api.${name}(`,
  (name) => `call:default_api:${name}{`,
  (name) => `<${name}>`,
  (name) => `Action: ${name}\n`,
];
