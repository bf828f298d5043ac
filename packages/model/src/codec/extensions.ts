import { appendPointer, freezeJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Extensions } from '../call/extensions.ts';
import type { Protocol } from '../call/protocol.ts';
import { isDefault } from './default-members.ts';
import type { LossSeverity } from './loss.ts';
import type { LossLog } from './loss-log.ts';
import { setMember, unreadMembers } from './wire-reader.ts';

/** The members that a decoder did not read, kept for the same protocol; they are frozen in place, not copied. */
export function keepUnread(
  protocol: Protocol,
  object: JsonObject,
  read: ReadonlySet<string>,
): Extensions | undefined {
  const members = unreadMembers(object, read);
  return members === undefined ? undefined : toExtensions(protocol, members);
}

/**
 * Like {@link keepUnread}, for answers: members without a value (`null`, an empty list), which servers add as they like
 * and streams leave out, say nothing.
 */
export function keepFilled(
  protocol: Protocol,
  object: JsonObject,
  read: ReadonlySet<string>,
): Extensions | undefined {
  const unread = unreadMembers(object, read);
  if (unread === undefined) return undefined;
  let filled: Record<string, JsonValue> | undefined;
  for (const name of Object.keys(unread)) {
    const value = unread[name] ?? null;
    if (value === null || (Array.isArray(value) && value.length === 0)) continue;
    filled ??= {};
    setMember(filled, name, value);
  }
  return filled === undefined ? undefined : toExtensions(protocol, filled);
}

/** A member that is read, and which of its own members are. */
export interface NestedRead {
  readonly name: string;
  readonly object: JsonObject;
  readonly read: ReadonlySet<string>;
}

/** Like {@link keepUnread} for a shape in two levels: unread members of the inner object are kept under its name. */
export function keepUnreadNested(
  protocol: Protocol,
  object: JsonObject,
  read: ReadonlySet<string>,
  inner: NestedRead,
): Extensions | undefined {
  const outer = unreadMembers(object, read);
  const nested = unreadMembers(inner.object, inner.read);
  if (nested === undefined) return outer === undefined ? undefined : toExtensions(protocol, outer);
  return toExtensions(protocol, { ...outer, [inner.name]: nested });
}

/** Writes the members that {@link keepUnreadNested} kept around and into a shape in two levels. */
export function withNested(members: JsonObject, name: string, written: JsonObject): JsonObject {
  const kept = members[name];
  const inner = written[name];
  if (!isJsonObject(kept) || !isJsonObject(inner)) return { ...members, ...written };
  return { ...members, ...written, [name]: { ...kept, ...inner } };
}

/** Marks members as those of one protocol. */
export function toExtensions(protocol: Protocol, members: JsonObject): Extensions {
  return Object.freeze({ protocol, members: freezeJson(members) });
}

const NONE: JsonObject = Object.freeze({});

/** Members that mean the same in another protocol. */
export interface SharedMembers {
  readonly protocol: Protocol;
  readonly names: ReadonlySet<string>;
}

/** Members without which a request is another one: they name state that the provider keeps. */
const STATEFUL: Partial<Record<Protocol, ReadonlySet<string>>> = {
  'openai-responses': new Set(['background', 'conversation', 'prompt']),
  gemini: new Set(['cachedContent']),
};

/** Settings of {@link takeExtensions}. */
export interface TakeOptions {
  /** Default `warning`. */
  readonly severity?: LossSeverity;
  readonly shared?: SharedMembers;
  /** One loss for all members together: for envelopes, which echo much and mean little elsewhere. */
  readonly grouped?: boolean;
}

/**
 * The members an encoder may write back: all of its own protocol, those of `shared`, and no others; what stays out is
 * logged, member by member.
 *
 * @param path - Pointer of the value that holds the extensions.
 */
export function takeExtensions(
  protocol: Protocol,
  extensions: Extensions | undefined,
  path: string,
  losses: LossLog,
  options: TakeOptions = {},
): JsonObject {
  if (extensions === undefined) return NONE;
  if (extensions.protocol === protocol) return extensions.members;
  const { severity = 'warning', shared, grouped = false } = options;
  if (grouped) {
    losses.add('dropped', `${path}/extensions`, severity, 'members that only their own protocol knows');
    return NONE;
  }
  const taken: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(extensions.members)) {
    const pointer = appendPointer(`${path}/extensions/members`, name);
    if (shared?.protocol === extensions.protocol && shared.names.has(name)) {
      setMember(taken, name, value);
      losses.add('relocated', pointer, 'info', 'the member means the same in the other protocol');
    } else {
      const stateful = STATEFUL[extensions.protocol]?.has(name) === true;
      const weight = isDefault(name, value) ? 'info' : stateful ? 'error' : severity;
      losses.add('dropped', pointer, weight, 'a member that only its own protocol knows');
    }
  }
  return taken;
}
