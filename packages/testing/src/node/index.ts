/**
 * Tools for tests that need Node: a local model provider that speaks real HTTP.
 *
 * @packageDocumentation
 */
export {
  createProviderServer,
  type ProviderServer,
  type ProviderServerConfig,
} from './create-provider-server.ts';
export type { ProviderRequest } from './read-request.ts';
