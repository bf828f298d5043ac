import type { JsonObject } from '@toolgate/core';
import { memberOf } from '../codec/wire-reader.ts';
import type { ToolFilter } from './edit.ts';
import type { KnownToolLists, ToolCut, ToolList } from './tool-list.ts';

/** What was seen in lists of tools that come again and again; it lasts as long as the lists. */
export interface ToolMemory {
  /** The lists of one body. */
  listsOf(body: JsonObject): KnownToolLists;
}

/** Makes an empty memory for lists whose values are the same whenever their texts are. */
export function createToolMemory(): ToolMemory {
  const looked = new WeakMap<object, ToolList>();
  const cuts = new WeakMap<object, WeakMap<ToolFilter, ToolCut>>();
  const cutOf: KnownToolLists['cutOf'] = (list, filter, find) => {
    const known = cuts.get(list);
    const before = known?.get(filter);
    if (before !== undefined) return before;
    const cut = find();
    // Only a filter that cannot change does the same each time.
    if (Object.isFrozen(filter) && Object.isFrozen(filter.keep)) {
      cuts.set(list, (known ?? new WeakMap<ToolFilter, ToolCut>()).set(filter, cut));
    }
    return cut;
  };
  return {
    listsOf(body) {
      // Only these: whoever holds an outline would hold the whole conversation with the body.
      const tools = memberOf(body, 'tools');
      const functions = memberOf(body, 'functions');
      return {
        cutOf,
        listOf(member, start, look) {
          const value = member === 'tools' ? tools : member === 'functions' ? functions : undefined;
          if (typeof value !== 'object' || value === null) return look();
          const known = looked.get(value);
          if (known !== undefined) {
            const { list, names } = known;
            return { member, list, names, shift: start - list.start };
          }
          const list = look();
          const kept = { ...list, names: list.names.map(ownText) };
          looked.set(value, kept);
          return kept;
        },
      };
    },
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The same text in a place of its own: a name that was cut out of a body is a view of it, and would keep it alive. */
function ownText(name: string | undefined): string | undefined {
  return name === undefined ? undefined : decoder.decode(encoder.encode(name));
}
