import type { Edit, FunctionTool, ModelCall, ModelTool, ToolChoice } from '@toolgate/model';
import type { Draft } from '../../internal/draft.ts';
import { type ListedTools, loadedTools, namespaceTools } from './listed-tools.ts';
import { addWholeNames, type NamedTool, NO_WHOLE_NAMES, type WholeNames } from './whole-names.ts';

/** A client's tools after those were taken out that the key or the route does not let through. */
export interface OfferedTools {
  /** Function tools by name, those of a namespace by their whole names. */
  readonly functions: ReadonlyMap<string, FunctionTool>;
  /** Names of tools without a schema, as somebody gave them. */
  readonly custom: ReadonlySet<string>;
  /** Kinds of tools that OpenAI defines. */
  readonly hosted: ReadonlySet<string>;
  /** Whether any was taken out. */
  readonly filtered: boolean;
  /** What takes them out of a body: the same one for the same offer. */
  readonly filter: Edit | undefined;
  /** Whether the tools without a schema stay; they go all together. */
  readonly keepsForeign: boolean;
  /** All that are left, in the client's order. */
  readonly left: readonly ModelTool[];
  /** Names of all that may pass, where some stand in namespaces. */
  readonly names: WholeNames;
}

/** Sorts a call's tools. */
export function offerTools({ tools }: ModelCall, permits: (name: string) => boolean): OfferedTools {
  const functions = new Map<string, FunctionTool>();
  const custom = new Set<string>();
  const hosted = new Set<string>();
  // Functions of namespaces, which go and stay with the tools without a schema.
  const inner = new Map<string, FunctionTool>();
  let named: NamedTool[] | undefined;
  let inNamespaces = 0;
  let permittedInNamespaces = 0;
  let filtered = false;
  let keepsForeign = true;
  for (const [index, tool] of (tools ?? []).entries()) {
    const listed = tool.kind === 'foreign' ? namespaceTools(tool.value, `/tools/${index}`) : undefined;
    if (listed !== undefined) {
      named ??= [];
      for (const tool of listed.named) named.push(tool);
      inNamespaces += listed.functions.length + listed.custom.length + listed.hosted.length;
      permittedInNamespaces += addListed(listed, permits, { functions: inner, custom, hosted });
      continue;
    }
    const kind = tool.kind === 'foreign' ? hostedKind(tool) : undefined;
    const name = kind ?? tool.name;
    const permitted = permits(name);
    if (!permitted) filtered = true;
    if (tool.kind === 'foreign') {
      keepsForeign &&= permitted;
      (kind === undefined ? custom : hosted).add(name);
    } else if (permitted) functions.set(tool.name, tool);
  }
  // They go out whole or not at all; what may not pass of them is withheld when it is called.
  if (inNamespaces > 0 && permittedInNamespaces === 0) {
    filtered = true;
    keepsForeign = false;
  }
  const isLeft = (tool: ModelTool): boolean =>
    tool.kind === 'foreign' ? keepsForeign : functions.has(tool.name);
  const left = filtered ? Object.freeze((tools ?? []).filter(isLeft)) : (tools ?? []);
  if (!keepsForeign) for (const gone of [custom, hosted, inner]) gone.clear();
  for (const [name, tool] of inner) if (!functions.has(name)) functions.set(name, tool);
  const names = named === undefined || !keepsForeign ? NO_WHOLE_NAMES : namesOf(tools ?? [], named, permits);
  const filter = filtered ? filterOf(functions, keepsForeign, bareNames(names, tools)) : undefined;
  return { functions, custom, hosted, filtered, filter, keepsForeign, left, names };
}

/** The names of all tools that may pass, those in no namespace first. */
function namesOf(
  tools: readonly ModelTool[],
  inNamespaces: readonly NamedTool[],
  permits: (name: string) => boolean,
): WholeNames {
  const flat = tools.flatMap((tool, index): readonly NamedTool[] => {
    const { kind, name } = tool;
    if (kind === 'foreign' && hostedKind(tool) !== undefined) return [];
    return [
      { whole: name, name, namespace: '', isFunction: kind === 'function', pointer: `/tools/${index}` },
    ];
  });
  const permitted = [...flat, ...inNamespaces].filter(({ whole }) => permits(whole));
  return addWholeNames(NO_WHOLE_NAMES, permitted);
}

/** Names by which a choice means a tool in a namespace, as no tool outside of one has them. */
function bareNames({ byName }: WholeNames, tools: ModelCall['tools']): readonly string[] {
  if (byName.size === 0) return NO_NAMES;
  const flat = new Set((tools ?? []).map(({ name }) => name));
  return [...byName.keys()].filter((name) => !flat.has(name));
}

const NO_NAMES: readonly string[] = Object.freeze([]);

/** The offer with the tools that the conversation has loaded meanwhile; they stand in no list that could be filtered. */
export function withLoaded(
  offered: OfferedTools,
  { items, tools }: ModelCall,
  permits: (name: string) => boolean,
): OfferedTools {
  const loaded = loadedTools(items);
  if (loaded.length === 0) return offered;
  const functions = new Map(offered.functions);
  const custom = new Set(offered.custom);
  const hosted = new Set(offered.hosted);
  for (const listed of loaded) addListed(listed, permits, { functions, custom, hosted });
  const flat = offered.names === NO_WHOLE_NAMES ? namesOf(offered.left, [], permits) : offered.names;
  const named = loaded.flatMap((listed) => listed.named);
  const names = addWholeNames(
    flat,
    named.filter(({ whole }) => permits(whole)),
  );
  const filter = offered.filter && filterOf(functions, offered.keepsForeign, bareNames(names, tools));
  return { ...offered, functions, custom, hosted, filter, names };
}

function filterOf(
  functions: ReadonlyMap<string, FunctionTool>,
  keepsForeign: boolean,
  bare: readonly string[],
): Edit {
  const keep = Object.freeze([...functions.keys(), ...bare]);
  return Object.freeze({ kind: 'filter-tools', keep, foreign: keepsForeign ? 'keep' : 'remove' });
}

/** @returns How many of them are permitted. A name that is taken stays with the tool that has it. */
function addListed(
  listed: ListedTools,
  permits: (name: string) => boolean,
  into: { functions: Map<string, FunctionTool>; custom: Set<string>; hosted: Set<string> },
): number {
  const functions = listed.functions.filter(({ name }) => permits(name));
  const custom = listed.custom.filter(permits);
  const hosted = listed.hosted.filter(permits);
  for (const tool of functions) if (!into.functions.has(tool.name)) into.functions.set(tool.name, tool);
  for (const name of custom) into.custom.add(name);
  for (const kind of hosted) into.hosted.add(kind);
  return functions.length + custom.length + hosted.length;
}

/**
 * The call with only the offered tools, never with a wider choice among them.
 *
 * @returns `undefined` when the choice demands a tool that is gone.
 */
export function withOffered(call: ModelCall, offered: OfferedTools): ModelCall | undefined {
  if (!offered.filtered) return call;
  const { left } = offered;
  const choice = call.toolChoice ? keepChoice(call.toolChoice, choosableNames(call, offered)) : null;
  if (choice === 'gone') return undefined;
  if (left.length === 0) {
    const { tools: _tools, toolChoice: _choice, parallelToolCalls: _parallel, ...rest } = call;
    return rest;
  }
  const kept: Draft<ModelCall> = { ...call };
  kept.tools = left;
  if (choice !== null) kept.toolChoice = choice;
  return kept;
}

function choosableNames({ tools }: ModelCall, { left, names }: OfferedTools): ReadonlySet<string> {
  return new Set([...left.map(({ name }) => name), ...bareNames(names, tools), ...names.owners.keys()]);
}

function keepChoice(choice: ToolChoice, names: ReadonlySet<string>): ToolChoice | 'gone' {
  switch (choice.mode) {
    case 'named':
      return names.has(choice.name) ? choice : 'gone';
    case 'foreign':
      return 'gone';
    case 'any':
      if (names.size === 0) return 'gone';
      return keepAllowed(choice, names);
    case 'auto':
    case 'none':
      return keepAllowed(choice, names);
  }
}

function keepAllowed(
  choice: Extract<ToolChoice, { mode: 'auto' | 'none' | 'any' }>,
  names: ReadonlySet<string>,
): ToolChoice | 'gone' {
  if (choice.allowed === undefined) return choice;
  const allowed = choice.allowed.filter((name) => names.has(name));
  if (allowed.length > 0) return { ...choice, allowed };
  // An empty list would read like no restriction.
  return choice.mode === 'any' ? 'gone' : { mode: 'none' };
}

/** Whether a request has the provider call tools of servers that stand beside its list of tools. */
export function namesServers({ extensions }: ModelCall): boolean {
  const servers = extensions?.protocol === 'anthropic' ? extensions.members['mcp_servers'] : undefined;
  return servers !== undefined && servers !== null && !(Array.isArray(servers) && servers.length === 0);
}

/**
 * What decides about a tool without a schema instead of its name. At OpenAI only custom tools have a name; what else has
 * one calls itself whatever its sender likes, and is known by its type.
 */
function hostedKind({
  protocol,
  value,
}: Extract<ModelTool, { readonly kind: 'foreign' }>): string | undefined {
  if (protocol !== 'openai-chat' && protocol !== 'openai-responses') return undefined;
  const type = typeof value === 'object' && value !== null && 'type' in value ? value['type'] : undefined;
  return typeof type === 'string' && type !== 'custom' ? type : undefined;
}
