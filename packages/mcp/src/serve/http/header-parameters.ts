import type { Gate, JsonValue } from '@toolgate/core';

/** The keyword by which a tool says that a parameter is sent in a header, too (SEP-2243). */
const KEYWORD = 'x-mcp-header';

const known = new WeakMap<Gate['tools'], boolean>();

/** Whether a tool of a gate wants parameters in headers. Found out once for each gate, which does not change. */
export function hasHeaderParameters({ tools }: { readonly tools: Gate['tools'] }): boolean {
  let found = known.get(tools);
  if (found === undefined) {
    found = tools.some(({ contract }) => declares(contract.definition.inputSchema));
    known.set(tools, found);
  }
  return found;
}

function declares(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, KEYWORD) || Object.values(value).some(declares);
}
