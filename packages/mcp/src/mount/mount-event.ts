import type { McpErrorCode } from '../mcp-error.ts';
import type { MountProblem } from './mount-report.ts';

/** What a mount tells while it lives. Free of content. */
export type MountEvent =
  | {
      /** The list of the server is another one; tools for later sessions were built from it. */
      readonly kind: 'generation';
      readonly server: string;
      readonly generation: number;
    }
  | {
      /** Something went wrong with the connection. */
      readonly kind: 'problem';
      readonly server: string;
      readonly problem: MountProblem;
    }
  | {
      /** A result was given on although it does not keep what the tool declares. */
      readonly kind: 'result-unchecked';
      readonly server: string;
      readonly tool: string;
      readonly code: McpErrorCode;
    }
  | {
      /** A call is sent with arguments that the schema of its tool does not name: most often misspelt ones. */
      readonly kind: 'arguments-unnamed';
      readonly server: string;
      readonly tool: string;
      readonly count: number;
    };
