import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Digest } from '@toolgate/core';
import type { KeyConfig } from '../config/gateway-config.ts';
import type { KeyRecord, KeyRing, NewKey } from '../ports/key-ring.ts';
import type { Principal } from '../ports/principal.ts';
import { keyDigest, MAX_KEY_LENGTH } from './key-text.ts';
import { makePrincipal } from './make-principal.ts';
import type { StoredKey, StoredKeys } from './stored-keys.ts';

/** What a key ring is made of. */
export interface KeyRingConfig {
  /** Keys of the configuration; one of them wins over a stored one that is the same. */
  readonly keys: readonly KeyConfig[];
  readonly stored: StoredKeys;
}

interface Entry {
  readonly digest: Buffer;
  readonly principal: Principal;
}

/**
 * Makes the key ring of one configuration.
 *
 * A key is looked up by a keyed digest of its digest. The key of that is made anew for each ring, so nobody can choose
 * what is compared with what, and how long a look-up takes says nothing about any key.
 */
export function createKeyRing({ keys, stored }: KeyRingConfig): KeyRing {
  // Before digests of one length, so that no other input continues one.
  const pepper = randomBytes(32).toString('hex');
  const blind = (digest: Digest): string => hash('sha256', pepper + digest, 'base64');
  const nobody: Entry['digest'] = Buffer.from(keyDigest(randomBytes(32).toString('hex')));
  let source: readonly StoredKey[] | undefined;
  let entries: ReadonlyMap<string, Entry> = new Map();

  const current = (): ReadonlyMap<string, Entry> => {
    const latest = stored.all();
    if (latest !== source) {
      source = latest;
      entries = index(latest, keys, blind);
    }
    return entries;
  };

  return Object.freeze({
    authenticate: async (presented: string | undefined) => {
      const text = presented ?? '';
      const digest = keyDigest(text.length > MAX_KEY_LENGTH ? '' : text);
      const entry = current().get(blind(digest));
      const same = timingSafeEqual(Buffer.from(digest), entry?.digest ?? nobody);
      return same && text !== '' ? entry?.principal : undefined;
    },
    create: async (key: NewKey) => stored.create(key),
    list: async () => Object.freeze([...keys.map(toKeyRecord), ...stored.all().map(({ record }) => record)]),
    revoke: async (id: string, by: string) => stored.revoke(id, by),
    refresh: async () => stored.refresh(),
  });
}

function index(
  stored: readonly StoredKey[],
  keys: readonly KeyConfig[],
  blind: (digest: Digest) => string,
): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  const add = (
    digest: Digest,
    { id, principal, grants }: Pick<KeyRecord, 'id' | 'principal' | 'grants'>,
  ): void => {
    const entry = { digest: Buffer.from(digest), principal: makePrincipal(principal, id, grants) };
    entries.set(blind(digest), Object.freeze(entry));
  };
  for (const { record, digest } of stored) if (record.revokedAt === undefined) add(digest, record);
  for (const key of keys) add(key.digest, key);
  return entries;
}

function toKeyRecord({ id, principal, grants }: KeyConfig): KeyRecord {
  return Object.freeze({ id, principal, origin: 'config', grants });
}
