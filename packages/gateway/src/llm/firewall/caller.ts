import type { Principal } from '../../ports/principal.ts';

/** Who asks, in which request and on which route; also what an application's own authorizer learns. Frozen. */
export interface Caller {
  readonly principal: Principal;
  readonly requestId: string;
  /** Name of the route. */
  readonly route: string;
}
