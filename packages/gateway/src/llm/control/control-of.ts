import { type CheckedControlProvider, completionTool, project, validateProvider } from '@toolgate/control';
import type { ModelCall } from '@toolgate/model';
import type { ControlConfig } from '../../config/gateway-config.ts';
import { CAPABILITIES } from './start-controlled.ts';

/** The control tool of a route, checked once for its generation. */
export function controlOf(config: ControlConfig | undefined): CheckedControlProvider | undefined {
  return config === undefined ? undefined : validateProvider(completionTool());
}

/** Whether a call gets the control tool; one that does not is passed on as it is. */
export function isControlled(call: ModelCall, provider: CheckedControlProvider): boolean {
  return project(call, provider.spec, CAPABILITIES).projection.active;
}
