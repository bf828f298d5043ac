import { GatewayError, type GatewayErrorCode } from '../ports/gateway-error.ts';
import type { ConfigSource } from './config-text.ts';

/** What is wrong with the value at a pointer, with its place and without the value. */
export function configFault(
  source: ConfigSource,
  pointer: string,
  message: string,
  code: GatewayErrorCode = 'gateway/config-invalid',
): GatewayError {
  const place = source.locate(pointer);
  const where = place.line === undefined ? '' : `line ${place.line}, column ${place.column ?? 1}, `;
  return new GatewayError(code, `${where}${pointer === '' ? '(root)' : pointer}: ${message}`, { place });
}
