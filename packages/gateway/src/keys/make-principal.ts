import { scopeOfGrants } from '../config/to-grants.ts';
import type { Grants, Principal } from '../ports/principal.ts';

/** Who presents a key with these grants. */
export function makePrincipal(id: string, keyId: string, grants: Grants): Principal {
  const { toolsDefault, admin, routes, servers, limits } = grants;
  return Object.freeze({
    id,
    keyId,
    scope: scopeOfGrants(grants),
    grants,
    toolsDefault,
    admin,
    routes,
    servers,
    limits,
  });
}
