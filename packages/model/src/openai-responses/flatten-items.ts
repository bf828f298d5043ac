import type { JsonValue } from '@toolgate/core';
import type { Extensions } from '../call/extensions.ts';
import type { Item, ToolCallItem, ToolResultItem } from '../call/item.ts';
import type { ModelTool } from '../call/model-call.ts';
import { toExtensions } from '../codec/extensions.ts';
import { memberOf, unreadMembers } from '../codec/wire-reader.ts';
import type { NamespacedName } from './namespaced-name.ts';
import { RESPONSES } from './responses-protocol.ts';
import { wholeName } from './whole-name.ts';

/**
 * The calls and results of a history without namespaces; the very same list where there is none.
 *
 * @param tools - Those of the call: a whole name that one of them has means that one.
 * @param names - Takes the functions of namespaces that only the history knows.
 */
export function flattenItems(
  items: readonly Item[],
  tools: readonly ModelTool[],
  names: Map<string, NamespacedName>,
): readonly Item[] {
  if (!items.some((item) => namespaceOf(item) !== undefined)) return items;
  const offered = new Set(tools.map(({ name }) => name));
  /** Names of the calls in namespaces, by their ids. */
  const wholeNames = new Map<string, string>();
  return Object.freeze(
    items.map((item) => {
      if (item.kind === 'tool-result') return flattenResult(item, wholeNames.get(item.callId));
      if (item.kind !== 'tool-call') return item;
      const namespace = namespaceOf(item);
      const whole = wholeName(item.name, namespace);
      if (whole === item.name) wholeNames.delete(item.callId);
      else {
        wholeNames.set(item.callId, whole);
        const isNew = typeof namespace === 'string' && !offered.has(whole) && !names.has(whole);
        if (isNew) names.set(whole, { namespace, name: item.name });
      }
      return namespace === undefined ? item : flattenCall(item, whole);
    }),
  );
}

function flattenCall(item: ToolCallItem, name: string): ToolCallItem {
  const { extensions, ...rest } = item;
  return Object.freeze({ ...rest, name, ...withoutNamespace(extensions) });
}

/** @param whole - The name of its call, where that is in a namespace. */
function flattenResult(item: ToolResultItem, whole: string | undefined): ToolResultItem {
  const namespace = namespaceOf(item);
  const name = item.name && (whole ?? wholeName(item.name, namespace));
  if (name === item.name && namespace === undefined) return item;
  const { extensions, ...rest } = item;
  return Object.freeze({ ...rest, ...(name === undefined ? {} : { name }), ...withoutNamespace(extensions) });
}

/** What stands in the place of a namespace; `undefined` where nothing does. */
function namespaceOf(item: Item): JsonValue | undefined {
  if (item.kind !== 'tool-call' && item.kind !== 'tool-result') return undefined;
  const { extensions } = item;
  return extensions?.protocol === RESPONSES ? memberOf(extensions.members, 'namespace') : undefined;
}

const NAMESPACE = new Set(['namespace']);

function withoutNamespace(extensions: Extensions | undefined): { readonly extensions?: Extensions } {
  if (extensions?.protocol !== RESPONSES) return extensions === undefined ? {} : { extensions };
  const members = unreadMembers(extensions.members, NAMESPACE);
  return members === undefined ? {} : { extensions: toExtensions(RESPONSES, members) };
}
