import { GatewayError } from '../ports/gateway-error.ts';
import { folderOf, type LoadConfigOptions, readSource } from './load-config.ts';
import { type ConfigReport, tryReadConfig } from './read-config.ts';

/**
 * Checks the configuration in a file without using it: nothing is opened and nothing is connected.
 *
 * @throws GatewayError `gateway/config-unreadable` when there is no such file or its kind is unknown.
 */
export async function checkConfig(path: string, options: LoadConfigOptions): Promise<ConfigReport> {
  try {
    return tryReadConfig(await readSource(path, options), options.env, folderOf(path));
  } catch (error) {
    if (!GatewayError.is(error) || error.code === 'gateway/config-unreadable') throw error;
    return { kind: 'invalid', faults: [error] };
  }
}
