import type { Grants, Principal } from './principal.ts';

/** Where a key comes from: the configuration, or the admin API. */
export type KeyOrigin = 'config' | 'stored';

/** A key as it may be shown: without the key. Frozen. */
export interface KeyRecord {
  readonly id: string;
  readonly principal: string;
  readonly origin: KeyOrigin;
  readonly grants: Grants;
  /** Milliseconds since the epoch; absent for keys of the configuration. */
  readonly createdAt?: number;
  readonly createdBy?: string;
  readonly revokedAt?: number;
  readonly revokedBy?: string;
}

/** What a new key is made from. */
export interface NewKey {
  /** Who the holder is; 1 to 128 characters, none of them a control. */
  readonly principal: string;
  /** What is not written is not granted: no tool, no server, no admin API; all routes. */
  readonly grants?: Partial<Grants>;
  /** Who asks for it. */
  readonly by: string;
}

/** A new key, shown once and kept nowhere. */
export interface CreatedKey {
  readonly key: string;
  readonly record: KeyRecord;
}

/** Knows virtual keys by their digests. */
export interface KeyRing {
  /**
   * Who presents a key; `undefined` for none, an unknown or a revoked one, in the same time. Answers from memory.
   *
   * @param presented - The key itself, without a scheme such as `Bearer`.
   */
  authenticate(presented: string | undefined): Promise<Principal | undefined>;
  /**
   * Makes a random key.
   *
   * @throws GatewayError `gateway/entry-invalid`.
   */
  create(key: NewKey): Promise<CreatedKey>;
  /** All keys, those of the configuration first; revoked ones too. */
  list(): Promise<readonly KeyRecord[]>;
  /** Ends a stored key; `false` when there is none of that id, or it was revoked before. */
  revoke(id: string, by: string): Promise<boolean>;
  /** Reads the stored keys again; also done every few seconds, for keys that another gateway changed. */
  refresh(): Promise<void>;
}
