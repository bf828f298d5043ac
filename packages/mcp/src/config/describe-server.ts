import type { ConfiguredTransport } from './mcp-config.ts';

/**
 * A server in a few words for people: the program, or the host. Arguments, variables, headers, and the path and query of
 * an address are left out, because each of them may be a secret.
 */
export function describeServer(transport: ConfiguredTransport): string {
  switch (transport.kind) {
    case 'stdio':
      return `stdio ${transport.command.replace(/^.*[/\\]/u, '')}`;
    case 'http':
      return `http ${new URL(transport.url).origin}`;
    case 'unsupported':
      return 'unsupported';
  }
}
