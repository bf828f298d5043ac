import { digestText, isToolName } from '@toolgate/core';

/** Characters that a name may have for the strictest provider. */
const MAX_NAME = 64;
const HASH = 8;
const ILLEGAL = /[^A-Za-z0-9_-]+/g;

/**
 * The name under which a tool is offered: `server__tool` or `tool`. A name that no provider would take is written with
 * legal characters and told apart by a hash of what the server calls it, so that it stays the same from run to run and
 * two names never become one. The way back is kept in the report, not in the name.
 *
 * @param server - Put in front; `undefined` for no prefix.
 * @param tool - The name that the server gives.
 */
export function offeredName(server: string | undefined, tool: string): string {
  const plain = server === undefined ? tool : `${server}__${tool}`;
  const fits: boolean = isToolName(plain);
  if (fits) return plain;
  const hash = digestText(plain).slice('sha256:'.length, 'sha256:'.length + HASH);
  const legal = plain.replace(ILLEGAL, '_').slice(0, MAX_NAME - HASH - 1);
  return `${legal}_${hash}`;
}

/** Whether a server can be named so: its name stands in the names of its tools. */
export function isServerName(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(value);
}
