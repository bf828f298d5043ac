import type { Digest, ExecutionClass, IntakeNote, ToolAnnotations } from '@toolgate/core';
import type { Finding } from '../intake/finding.ts';
import type { DriftReport } from '../lock/drift-report.ts';
import type { McpErrorCode } from '../mcp-error.ts';

/** What became of one tool that a server lists. */
export type MountedTool =
  | (MountedFacts & {
      /** It can be called. */
      readonly kind: 'offered';
      /** The name under which it is offered. */
      readonly name: string;
      /** Of the definition as the server sent it; what the lock holds. */
      readonly digest: Digest;
      /** Of the definition as it is offered and enforced; what approvals are bound to. */
      readonly contractDigest: Digest;
    })
  | (MountedFacts & {
      /** It is held back until somebody has reviewed it. */
      readonly kind: 'quarantined';
      readonly name: string;
      readonly digest: Digest;
      readonly reason: 'not-reviewed' | 'changed' | 'hidden-content';
    })
  | (MountedFacts & {
      /** It cannot be used as it is, by anybody. */
      readonly kind: 'disabled';
      /** One sentence, safe to log. */
      readonly reason: string;
      /** Where in the definition (RFC 6901), where the fault has a place. */
      readonly pointer?: string;
    });

/** What is known of every listed tool. */
export interface MountedFacts {
  /** The name that the server gives, or its place in the list. Foreign text: to be escaped where it is shown. */
  readonly tool: string;
  /** From the rules, else `external`. */
  readonly class: ExecutionClass;
  /** What the server says about itself: for display, never for a decision. */
  readonly annotations?: ToolAnnotations;
  /** Whether it is offered with a schema that takes arguments that it neither names nor says it takes. */
  readonly open?: true;
  /** What a reviewer should look at. */
  readonly findings: readonly Finding[];
  /** What was noticed when the schemas were taken in. */
  readonly notes: readonly IntakeNote[];
}

/** Something that went wrong with the connection. */
export interface MountProblem {
  readonly code: McpErrorCode;
  /** One sentence, safe to log. */
  readonly message: string;
  /**
   * The end of what the server wrote to its error output, and what it said in an answer that refuses, escaped and without
   * the secrets that it was given.
   */
  readonly detail?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** How a mount stands. Plain JSON, deeply frozen; a later state is another report. */
export interface MountReport {
  readonly server: string;
  /** Grows each time that the list of the server is another one. The first is 1. */
  readonly generation: number;
  /** What the server calls itself. Foreign text. */
  readonly serverInfo?: { readonly name: string; readonly version: string };
  readonly protocolVersion?: string;
  /** In the order of the server. */
  readonly tools: readonly MountedTool[];
  /** How the list stands to what was reviewed; absent where nobody looks. */
  readonly drift?: DriftReport;
  /** Rules that match no tool, by their place: most often a misspelt name. */
  readonly unusedRules: readonly number[];
  /** The last ones, oldest first. */
  readonly problems: readonly MountProblem[];
}
