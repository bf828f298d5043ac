import type { ModelCall } from '../call/model-call.ts';
import type { Loss } from '../codec/loss.ts';
import { createLossLog } from '../codec/loss-log.ts';
import { flattenItems } from './flatten-items.ts';
import { flattenTools } from './flatten-tools.ts';

/** Where a client has a function that others know by its whole name. */
export interface NamespacedName {
  readonly namespace: string;
  readonly name: string;
}

/** A call without namespaces. */
export interface FlatCall {
  /** The very same call where there was nothing to change. */
  readonly call: ModelCall;
  readonly losses: readonly Loss[];
  /** The functions of namespaces, by the names that the call has for them. */
  readonly names: ReadonlyMap<string, NamespacedName>;
}

/**
 * A call of OpenAI Responses as protocols without namespaces can say it: each function in a namespace is one of its own
 * under its whole name, in the tools and in the history. Undo it on the answer with `restoreNamespace`. A choice by a name
 * does not say which namespace it means, and stays as it is; what is no function stays in its namespace, for an encoder
 * to refuse.
 *
 * @param permits - Which tools stay, by their whole names; all of them by default.
 * @throws ModelError `model/request-invalid` for a namespace that is none, `model/not-encodable` for two tools with one
 *   whole name; with the place of the tool in the list.
 */
export function flattenNamespaces(
  call: ModelCall,
  permits: (wholeName: string) => boolean = () => true,
): FlatCall {
  const losses = createLossLog();
  const names = new Map<string, NamespacedName>();
  const tools = call.tools ? flattenTools(call.tools, { losses, names, permits }) : call.tools;
  const items = flattenItems(call.items, tools ?? [], names);
  const changed = tools !== call.tools || items !== call.items;
  const flat = changed ? { ...call, items, ...(tools === undefined ? {} : { tools }) } : call;
  return { call: flat, losses: losses.losses, names };
}
