import { writeJson } from '@toolgate/core';
import type { ContentPart, Item, ModelCall, ToolResultItem } from '@toolgate/model';
import type { ScriptedExpectation } from './script.ts';

/** @throws Error that says what differs between a request and what its turn expects. */
export function checkRequest(call: ModelCall, expected: ScriptedExpectation, number: number): void {
  const fail = (what: string): never => {
    throw new Error(`request ${number} differs from the script: ${what}`);
  };
  if (expected.userText !== undefined) {
    const said = call.items.findLast((item) => item.kind === 'message' && item.role === 'user');
    const text = said?.kind === 'message' ? textOf(said.parts) : '';
    if (!text.includes(expected.userText))
      fail(`the last user message does not contain ${JSON.stringify(expected.userText)}`);
  }
  if (expected.tools !== undefined) {
    const names = (call.tools ?? []).map(({ name }) => name);
    if (names.join() !== expected.tools.join()) fail(`the tools are ${names.join(', ') || 'none'}`);
  }
  if (expected.results !== undefined) {
    const results = newResults(call.items);
    if (results.length !== expected.results.length) fail(`there are ${results.length} new results`);
    expected.results.forEach((part, index) => {
      if (results[index]?.includes(part) !== true)
        fail(`result ${index + 1} does not contain ${JSON.stringify(part)}`);
    });
  }
}

/** The texts of the results that came after the model's last answer, in order. */
function newResults(items: readonly Item[]): readonly string[] {
  const last = items.findLastIndex((item) => item.kind !== 'tool-result');
  return items.slice(last + 1).map((item) => (item.kind === 'tool-result' ? resultText(item) : ''));
}

/** Some wires carry a result as a value and not as text. */
function resultText({ parts, structured }: ToolResultItem): string {
  return structured === undefined ? textOf(parts) : `${textOf(parts)}\n${writeJson(structured)}`;
}

function textOf(parts: readonly ContentPart[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');
}
