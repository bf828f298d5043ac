import type { JsonValue } from '@toolgate/core';

/** The place (RFC 6901) where two values first differ, or `undefined` for equal ones; the order of members is nothing. */
export function firstDifference(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
): string | undefined {
  if (!isContainer(left) || !isContainer(right) || Array.isArray(left) !== Array.isArray(right)) {
    return Object.is(left, right) ? undefined : '';
  }
  for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const inner = firstDifference(ownMember(left, name), ownMember(right, name));
    if (inner !== undefined) return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}${inner}`;
  }
  return undefined;
}

type Container = Readonly<Record<string, JsonValue>> | readonly JsonValue[];

function isContainer(value: JsonValue | undefined): value is Container {
  return typeof value === 'object' && value !== null;
}

function ownMember(value: Container, name: string): JsonValue | undefined {
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, JsonValue>>)[name] : undefined;
}
