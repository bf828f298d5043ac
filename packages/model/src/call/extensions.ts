import type { JsonObject } from '@toolgate/core';
import type { Protocol } from './protocol.ts';

/** Members of one protocol's wire shape, by name. */
export interface Extensions {
  readonly protocol: Protocol;
  readonly members: JsonObject;
}
