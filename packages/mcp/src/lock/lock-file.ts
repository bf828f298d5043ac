import type { Digest, JsonObject } from '@toolgate/core';

/** The name of the file that stands next to the configuration. */
export const LOCK_FILE_NAME = 'toolgate.lock.json';

/**
 * What of a tool's definition is pinned, as the server sent it and before anything of ours touched it: `name`, `title`,
 * `description`, `inputSchema`, `outputSchema` and `annotations`, those that are there. Plain JSON, deeply frozen.
 */
export type LockedDefinition = JsonObject & { readonly name: string };

/** One tool that was reviewed. */
export interface LockedTool {
  /** Of the canonical JSON (RFC 8785) of `definition`. */
  readonly digest: Digest;
  readonly definition: LockedDefinition;
}

/** The reviewed tools of one server by the name that the server gives them. */
export type LockedServer = Readonly<Record<string, LockedTool>>;

/**
 * The tool definitions that somebody reviewed. Plain JSON, deeply frozen; the objects have no prototype, and
 * {@link lockedServer} and {@link lockedTool} look into them safely.
 */
export interface LockFile {
  readonly version: 1;
  readonly servers: Readonly<Record<string, LockedServer>>;
}

/**
 * What the lock means for a tool that is not in it, or is another one now. `require`: it is not offered. `warn`: it is
 * offered and reported. `off`: nobody looks.
 */
export type LockMode = 'require' | 'warn' | 'off';

/** Every {@link LockMode}, the safest first. */
export const LOCK_MODES: readonly LockMode[] = Object.freeze(['require', 'warn', 'off']);

/** A lock in which nothing was reviewed. */
export const EMPTY_LOCK: LockFile = Object.freeze({
  version: 1,
  servers: Object.freeze(Object.create(null) as Record<string, LockedServer>),
});

/** The reviewed tools of a server; `undefined` when the lock has never seen it. */
export function lockedServer(lock: LockFile, server: string): LockedServer | undefined {
  return Object.hasOwn(lock.servers, server) ? lock.servers[server] : undefined;
}

/** What was reviewed of one tool; `undefined` when nothing was. */
export function lockedTool(lock: LockFile, server: string, tool: string): LockedTool | undefined {
  const tools = lockedServer(lock, server);
  return tools !== undefined && Object.hasOwn(tools, tool) ? tools[tool] : undefined;
}
