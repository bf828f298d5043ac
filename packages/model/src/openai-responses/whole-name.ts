import type { JsonValue } from '@toolgate/core';

/**
 * The one name of a tool that may stand in a namespace, by which rules, approvals, logs and other protocols know it. Two
 * servers may call their tools alike; the namespace tells them apart, and its name usually ends as the first part of a
 * whole name does.
 *
 * @param namespace - As a request or a call gives it; only a text that is not empty counts.
 */
export function wholeName(name: string, namespace: JsonValue | undefined): string {
  if (typeof namespace !== 'string' || namespace === '') return name;
  return namespace.endsWith('__') ? `${namespace}${name}` : `${namespace}__${name}`;
}
