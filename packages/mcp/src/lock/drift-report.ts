import type { Digest } from '@toolgate/core';
import type { LockedDefinition, LockedTool } from './lock-file.ts';

/** What a run belongs to: both texts, only the reviewed one, or only the present one. */
export type DiffSide = 'kept' | 'removed' | 'added';

/** A run of text, or how much of one is left out for its length. */
export type DiffRun =
  | {
      readonly kind: DiffSide;
      /** As it is: whoever shows it escapes controls and invisible characters. */
      readonly text: string;
    }
  | {
      readonly kind: 'omitted';
      readonly side: DiffSide;
      /** In UTF-16 units. */
      readonly characters: number;
    };

/** One place of a definition that is not what was reviewed. */
export interface FieldChange {
  /** `added`: was not there. `removed`: is not there any more. */
  readonly kind: 'added' | 'removed' | 'changed';
  /** Where in the definition (RFC 6901): `/description`, `/inputSchema/properties/bcc`. */
  readonly pointer: string;
  /**
   * The words that went and came, in order, with what stays around them. A value that is no text is its canonical
   * JSON.
   */
  readonly runs: readonly DiffRun[];
}

/** How one tool of a server stands to what was reviewed. Tools that are as reviewed are only counted. */
export type ToolDrift =
  | {
      readonly kind: 'added';
      readonly tool: string;
      readonly definition: LockedDefinition;
      readonly digest: Digest;
      /** A reviewed tool that is gone and was the same but for its name. */
      readonly renamedFrom?: string;
    }
  | { readonly kind: 'removed'; readonly tool: string; readonly reviewed: LockedTool }
  | {
      readonly kind: 'changed';
      readonly tool: string;
      readonly definition: LockedDefinition;
      readonly digest: Digest;
      readonly reviewed: LockedTool;
      readonly changes: readonly FieldChange[];
      /** How many more places changed than are listed. */
      readonly moreChanges: number;
    }
  | {
      /** The server lists something that cannot be pinned, and so can never have been reviewed. */
      readonly kind: 'unpinnable';
      /** The name as far as there is one, else its place in the list. */
      readonly tool: string;
      /** One sentence, safe to log. */
      readonly problem: string;
      /** What was reviewed under this name. */
      readonly reviewed?: LockedTool;
    };

/** How the tools that a server lists stand to those that were reviewed. Plain JSON. */
export interface DriftReport {
  readonly server: string;
  /** `false` for a server that the lock has never seen: all its tools are `added`. */
  readonly known: boolean;
  /** Tools that are exactly as reviewed. */
  readonly unchanged: number;
  /** By name. Empty when nothing drifted. */
  readonly drift: readonly ToolDrift[];
}
