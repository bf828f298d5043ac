import {
  type CheckedControlProvider,
  completionTool,
  type Projected,
  project,
  validateProvider,
} from '@toolgate/control';
import type { ModelCall } from '@toolgate/model';
import type { ControlConfig } from '../../config/gateway-config.ts';

/** What backends of a gateway can do, as far as control tools ask. */
export const CAPABILITIES: ReadonlySet<string> = new Set(['streaming', 'tools']);

/** A control tool and the call with it. */
export interface ControlledCall {
  readonly provider: CheckedControlProvider;
  readonly projected: Projected;
}

/** The control tool of a route, checked once for its generation. */
export function controlOf(config: ControlConfig | undefined): CheckedControlProvider | undefined {
  return config === undefined ? undefined : validateProvider(completionTool());
}

/** A call with the control tool of its route; `undefined` for one that gets none, and is passed on as it is. */
export function controlCall(
  call: ModelCall,
  provider: CheckedControlProvider | undefined,
): ControlledCall | undefined {
  if (provider === undefined) return undefined;
  const projected = project(call, provider.spec, CAPABILITIES);
  return projected.projection.active ? { provider, projected } : undefined;
}
