import { freezeJson, type JsonObject, type JsonValue } from '@toolgate/core';
import type { ForeignTool, FunctionTool, ModelTool } from '../call/model-call.ts';
import type { LossLog } from '../codec/loss-log.ts';
import {
  createWireReader,
  isJsonObject,
  memberOf,
  setMember,
  textOf,
  unreadMembers,
} from '../codec/wire-reader.ts';
import { ModelError } from '../model-error.ts';
import { decodeFunction } from './decode-tools.ts';
import type { NamespacedName } from './flatten-namespaces.ts';
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

/** @see flattenNamespaces. The very same list where no namespace is in it. */
export function flattenTools(tools: readonly ModelTool[], context: FlattenContext): readonly ModelTool[] {
  if (!tools.some(isNamespace)) return tools;
  /** The namespace of each function by its whole name; empty for one in none. */
  const owners = new Map<string, string>();
  for (const tool of tools) if (tool.kind === 'function') owners.set(tool.name, '');
  return Object.freeze(
    tools.flatMap((tool, index) =>
      isNamespace(tool) ? flattenNamespace(tool, `/tools/${index}`, owners, context) : [tool],
    ),
  );
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
  { losses, names, permits }: FlattenContext,
): readonly ModelTool[] {
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
    const owner = owners.get(whole);
    if (owner === undefined) {
      owners.set(whole, namespace);
      if (namespace !== '') names.set(whole, { namespace, name: decoded.name });
      functions.push(Object.freeze({ ...decoded, name: whole }));
    } else if (owner !== namespace) {
      const message = 'Two tools of the request have the same whole name.';
      throw new ModelError('model/not-encodable', message, { pointer: place });
    } else losses.add('dropped', place, 'info', 'a tool that its namespace holds twice');
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
