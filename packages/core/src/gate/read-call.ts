import { ignoreThrown } from '../internal/ignore-thrown.ts';
import type { ToolCall } from '../tool/tool-call.ts';

/** A proposal that nothing could be read from: an unknown tool, by an id that cannot be. */
const UNREADABLE: ToolCall = Object.freeze({ id: '', name: '', arguments: '', complete: true });

/**
 * A copy of a proposal, each member read once, so that what is checked is what is used. Members of the wrong type become
 * what is refused later: a blank id, a blank name, arguments that are no text. Never throws.
 */
export function readCall(call: ToolCall): ToolCall {
  try {
    const { id, name, arguments: text, complete } = call;
    return {
      id: typeof id === 'string' ? id : '',
      name: typeof name === 'string' ? name : '',
      arguments: text,
      complete: complete === undefined || complete === true,
    };
  } catch (thrown) {
    ignoreThrown(thrown);
    return UNREADABLE;
  }
}
