import { CliError } from '../cli-error.ts';

/** Where a server listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Reads `HOST:PORT`, `[::1]:PORT`, `:PORT` or `PORT`. Without a host it is this machine alone; port 0 is a free one.
 *
 * @throws CliError `cli/usage`
 */
export function parseAddress(text: string): Address {
  const [, bracketed, plain, digits = ''] =
    /^(?:(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]*)):)?([0-9]{1,5})$/u.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535) {
    throw new CliError('cli/usage', 'An address is HOST:PORT, such as 127.0.0.1:8080; port 0 is a free one.');
  }
  const host = bracketed ?? plain ?? '';
  return { host: host === '' ? '127.0.0.1' : host, port };
}
