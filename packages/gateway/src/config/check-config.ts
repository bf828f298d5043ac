import { GatewayError } from '../ports/gateway-error.ts';
import type { GatewayConfig } from './gateway-config.ts';
import { folderOf, type LoadConfigOptions, readSource } from './load-config.ts';
import { missingVariables } from './missing-variables.ts';
import { readConfig, schemaFaults } from './read-config.ts';

/** What a check of a configuration found. */
export type ConfigReport =
  | { readonly kind: 'valid'; readonly config: GatewayConfig }
  /** At least one fault, each with its place. Those that no schema can say, but for variables that are not set, are found one after the other. */
  | { readonly kind: 'invalid'; readonly faults: readonly GatewayError[] };

/**
 * Checks the configuration in a file without using it: nothing is opened and nothing is connected.
 *
 * @throws GatewayError `gateway/config-unreadable` when there is no such file or its kind is unknown.
 */
export async function checkConfig(path: string, options: LoadConfigOptions): Promise<ConfigReport> {
  try {
    const source = await readSource(path, options);
    const faults = schemaFaults(source);
    if (faults.length > 0) return { kind: 'invalid', faults };
    const missing = missingVariables(source, options.env);
    if (missing.length > 0) return { kind: 'invalid', faults: missing };
    return { kind: 'valid', config: readConfig(source, options.env, folderOf(path)) };
  } catch (error) {
    if (!GatewayError.is(error) || error.code === 'gateway/config-unreadable') throw error;
    return { kind: 'invalid', faults: [error] };
  }
}
