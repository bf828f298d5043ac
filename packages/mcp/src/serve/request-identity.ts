import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { Identity } from './identity.ts';

const identities = new WeakMap<object, unknown>();

/** What carries an identity through the SDK, from the door to the handler of the same request. It says nothing itself. */
export function carryIdentity<Context>(identity: Identity<Context>): AuthInfo {
  const carrier: AuthInfo = { token: '', clientId: '', scopes: [] };
  identities.set(carrier, identity);
  return carrier;
}

/** Who sent a request of a session; `undefined` where the connection has one sender for all of them. */
export function identityOf<Context>({ http }: ServerContext): Identity<Context> | undefined {
  const carrier = http?.authInfo;
  return carrier === undefined ? undefined : (identities.get(carrier) as Identity<Context> | undefined);
}
