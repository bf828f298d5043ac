/** Which calls are put to a person: all, everything but reads, or none. */
export type ApproveRule = 'all' | 'changes' | 'none';

/** Every {@link ApproveRule}, the safest first. */
export const APPROVE_RULES: readonly ApproveRule[] = ['all', 'changes', 'none'];

/** What a run is made of, as plain JSON, so that another process can go on with it. */
export interface RunPlan {
  /** As given to `--model`. */
  readonly model: string;
  /** Absolute paths of the modules with the tools. */
  readonly tools: readonly string[];
  /** Absolute paths of the configurations of MCP servers. */
  readonly mcp?: readonly string[];
  readonly instructions: string | null;
  readonly approve: ApproveRule;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly maxTurns: number;
}
