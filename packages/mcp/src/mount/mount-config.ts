import type { Authorizer, Clock } from '@toolgate/core';
import type { ClientHooks } from '../client/client-hooks.ts';
import type { ServerTransport } from '../client/server-transport.ts';
import type { LockFile } from '../lock/lock-file.ts';
import type { MountEvent } from './mount-event.ts';
import type { MountRule } from './mount-rule.ts';

/** Bounds of a mount. Each has a default. */
export interface MountLimits {
  /** From the start of the server to its answer to the handshake, in milliseconds. Default 30,000. */
  readonly connectTimeoutMs?: number;
  /** Of one page of the list of tools, in milliseconds. Default 30,000. */
  readonly listTimeoutMs?: number;
  /** Default 1,000. */
  readonly maxPages?: number;
  /** Default 20,000. */
  readonly maxTools?: number;
  /** UTF-8 bytes of all definitions. Default 64 MiB. */
  readonly maxListBytes?: number;
  /** Bytes of one message of the server. Default 16 MiB. */
  readonly maxMessageBytes?: number;
  /** Messages that answer nothing, in 5 seconds. Default 5,000. */
  readonly maxUnasked?: number;
  /** How long a server has to end by itself when the mount is closed, and then when it is told to. Default 2,000. */
  readonly closeGraceMs?: number;
  /** After a notice of change, how long others may come before the list is read again. Default 250. */
  readonly settleMs?: number;
  /** First and longest delay before a server that failed repeatedly is started again. Default 500 and 30,000. */
  readonly restartMs?: { readonly first: number; readonly max: number };
}

/**
 * What a lock file means for the mount. `off` has to be written: without a review everything a server lists is taken
 * at its word.
 */
export type MountLock = 'off' | { readonly mode: 'require' | 'warn'; readonly file: LockFile };

/** What a mount is made of. Read once and copied. */
export interface MountConfig<Context = unknown> {
  /** What the application calls the server: 1 to 64 of `A-Z a-z 0-9 _ - .`. Locks and rules go by this name. */
  readonly name: string;
  readonly transport: ServerTransport;
  readonly lock: MountLock;
  /** The first one that matches a tool counts. Default: every tool is `external`. */
  readonly rules?: readonly MountRule<Context>[];
  /** Asked about every call of every tool of the server, before an approval. Default: nobody is. */
  readonly authorize?: Authorizer<Context>;
  /** Whether tools are offered as `name__tool`. Default `false`. */
  readonly prefix?: boolean;
  /**
   * What becomes of a tool whose definition hides something from a reader and was not reviewed as it is. Default
   * `quarantine`.
   */
  readonly hidden?: 'quarantine' | 'report';
  readonly limits?: MountLimits;
  /** What the server may ask the application for. Default: nothing. */
  readonly hooks?: ClientHooks;
  /** Which revision is spoken. Default `auto`: the newest that both know. */
  readonly protocol?: 'auto' | 'legacy' | { readonly pin: string };
  /**
   * What must not appear in a diagnosis, besides the values of the server's headers and variables that have at least 8
   * characters. Shorter than 4 characters they are not looked for.
   */
  readonly secrets?: readonly string[];
  readonly observe?: (event: MountEvent) => void;
  /** Ends the mounting, not the mount. */
  readonly signal?: AbortSignal;
  /** Default: the platform's. */
  readonly clock?: Clock;
}
