import type { ModelCall, ModelTool } from '../call/model-call.ts';
import type { Loss } from '../codec/loss.ts';
import { createLossLog } from '../codec/loss-log.ts';
import { flattenItems } from './flatten-items.ts';
import { flattenTools } from './flatten-tools.ts';
import { takeLoadedTools } from './loaded-tools.ts';
import type { NamespacedName } from './namespaced-name.ts';

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
 * under its whole name, in the tools and in the history, and what a conversation loads (`additional_tools`) is offered with
 * the tools. Undo it on the answer with `restoreNamespace`. A choice by a name does not say which namespace it means, and
 * stays as it is; what is no function stays as it is, too, for an encoder to refuse.
 *
 * @param permits - Which tools of namespaces, and of those that are loaded, stay: by the whole name of what has one, else by
 *   the type. All of them by default.
 * @throws ModelError `model/request-invalid` for a namespace that is none, `model/not-encodable` for two tools with one
 *   whole name; with the place of the tool.
 */
export function flattenNamespaces(
  call: ModelCall,
  permits: (name: string) => boolean = () => true,
): FlatCall {
  const losses = createLossLog();
  const names = new Map<string, NamespacedName>();
  const { call: listed, loaded } = takeLoadedTools(call, losses);
  const tools = flattenTools(listed.tools ?? NO_TOOLS, loaded, { losses, names, permits });
  const items = flattenItems(listed.items, tools, names);
  if (items === call.items && tools === (call.tools ?? NO_TOOLS)) return { call, losses: NO_LOSSES, names };
  const offered = tools.length === 0 && !call.tools ? {} : { tools };
  return { call: { ...listed, items, ...offered }, losses: losses.losses, names };
}

const NO_TOOLS: readonly ModelTool[] = Object.freeze([]);
const NO_LOSSES: readonly Loss[] = Object.freeze([]);
