import { freezeJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { ForeignTool, FunctionTool, ModelTool } from '../call/model-call.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { createWireReader, memberOf, setMember, textOf, unreadMembers } from '../codec/wire-reader.ts';
import { ModelError } from '../model-error.ts';
import { decodeFunction } from './decode-tools.ts';
import type { PlacedTool } from './loaded-tools.ts';
import type { NamespacedName } from './namespaced-name.ts';
import { RESPONSES } from './responses-protocol.ts';
import { wholeName } from './whole-name.ts';

/** What flattening tools needs besides them. */
export interface FlattenContext {
  readonly losses: LossLog;
  /** Takes the functions of namespaces by their whole names. */
  readonly names: Map<string, NamespacedName>;
  readonly permits: (wholeName: string) => boolean;
}

interface Namespace extends ForeignTool {
  readonly value: JsonObject;
}

const READ = new Set(['type', 'name', 'description', 'tools']);

/** Longest description that the one of a namespace may go into; some services refuse a longer one. */
const MAX_DESCRIPTION = 1024;

const reader = createWireReader('model/request-invalid');

/** @see flattenNamespaces. The very same list where no namespace is in it, and nothing is loaded. */
export function flattenTools(
  tools: readonly ModelTool[],
  loaded: readonly PlacedTool[],
  context: FlattenContext,
): readonly ModelTool[] {
  if (loaded.length === 0 && !tools.some(isNamespace)) return tools;
  /** The namespace of each function by its whole name; empty for one in none. */
  const owners = new Map<string, string>();
  for (const tool of tools) if (tool.kind === 'function') owners.set(tool.name, '');
  const listed = tools.flatMap((tool, index) =>
    isNamespace(tool) ? flattenNamespace(tool, `/tools/${index}`, owners, context) : [tool],
  );
  const more = loaded.flatMap(({ place, tool }): readonly ModelTool[] => {
    if (isNamespace(tool)) return flattenNamespace(tool, place, owners, context);
    if (!context.permits(nameOf(tool))) return [];
    return tool.kind === 'foreign' || isNew(tool.name, '', place, owners, context) ? [tool] : [];
  });
  return Object.freeze([...listed, ...more]);
}

/** By what a tool is known that stands in no namespace. */
function nameOf(tool: ModelTool): string {
  if (tool.kind === 'function' || !isJsonObject(tool.value)) return tool.name;
  const type = textOf(tool.value, 'type');
  return type === undefined || type === 'custom' ? tool.name : type;
}

/**
 * Whether a function is the first of its whole name. The same one again is left out: the calls of a name are judged by the
 * first that has it.
 */
function isNew(
  whole: string,
  namespace: string,
  place: string,
  owners: Map<string, string>,
  { losses }: FlattenContext,
): boolean {
  const owner = owners.get(whole);
  if (owner === undefined) owners.set(whole, namespace);
  else if (owner === namespace) losses.add('dropped', place, 'info', 'a tool that is there twice');
  else {
    const message = 'Two tools of the request have the same whole name.';
    throw new ModelError('model/not-encodable', message, { pointer: place });
  }
  return owner === undefined;
}

function isNamespace(tool: ModelTool): tool is Namespace {
  return (
    tool.kind === 'foreign' &&
    tool.protocol === RESPONSES &&
    isJsonObject(tool.value) &&
    memberOf(tool.value, 'type') === 'namespace'
  );
}

function flattenNamespace(
  tool: Namespace,
  pointer: string,
  owners: Map<string, string>,
  context: FlattenContext,
): readonly ModelTool[] {
  const { losses, names, permits } = context;
  const namespace = reader.string(memberOf(tool.value, 'name'), `${pointer}/name`);
  const functions: FunctionTool[] = [];
  const rest: JsonValue[] = [];
  reader.array(memberOf(tool.value, 'tools') ?? [], `${pointer}/tools`).forEach((entry, index) => {
    const place = `${pointer}/tools/${index}`;
    const inner = reader.object(entry, place);
    const whole = wholeName(textOf(inner, 'name') ?? '', namespace);
    if (!permits(whole)) return;
    if (memberOf(inner, 'type') !== 'function') {
      rest.push(inner);
      return;
    }
    const decoded = decodeFunction(reader, inner, place);
    if (!isNew(whole, namespace, place, owners, context)) return;
    if (namespace !== '') names.set(whole, { namespace, name: decoded.name });
    functions.push(Object.freeze({ ...decoded, name: whole }));
  });
  noteUnread(tool.value, pointer, losses);
  const described = describe(functions, memberOf(tool.value, 'description'), pointer, losses);
  if (rest.length === 0) return described;
  const value: Record<string, JsonValue> = { ...tool.value };
  setMember(value, 'tools', rest);
  return [...described, Object.freeze({ ...tool, value: freezeJson(value) })];
}

/** What a namespace says of itself goes before the words of its first function, as nothing else stands for it. */
function describe(
  functions: readonly FunctionTool[],
  description: JsonValue | undefined,
  pointer: string,
  losses: LossLog,
): readonly FunctionTool[] {
  const [first, ...others] = functions;
  if (first === undefined || typeof description !== 'string' || description === '') return functions;
  const path = `${pointer}/description`;
  const own = first.description ?? '';
  const text = own === '' ? description : `${description}\n\n${own}`;
  if (text.length > MAX_DESCRIPTION) {
    losses.add(
      'dropped',
      path,
      'warning',
      'the description of a namespace, which is too long for a function',
    );
    return functions;
  }
  losses.add('relocated', path, 'info', 'its first function bears the description of a namespace');
  return [Object.freeze({ ...first, description: text }), ...others];
}

function noteUnread(value: JsonObject, pointer: string, losses: LossLog): void {
  for (const name of Object.keys(unreadMembers(value, READ) ?? {}))
    losses.add(
      'dropped',
      `${pointer}/${name}`,
      'warning',
      'a member of a namespace that has no form elsewhere',
    );
}
