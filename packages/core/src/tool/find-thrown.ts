import { ignoreThrown } from '../internal/ignore-thrown.ts';
import { outputOf } from './make-output.ts';
import { type ThrownKind, thrownKind } from './thrown-mark.ts';
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
  | { readonly kind: 'call-error'; readonly evidence: ToolOutput; readonly interrupted: boolean }
  | { readonly kind: 'permanent'; readonly cause: unknown }
  | { readonly kind: 'authorization'; readonly diagnosis: unknown }
  | { readonly kind: 'other' };

const MAX_ERRORS = 64;
const OTHER: Thrown = Object.freeze({ kind: 'other' });

/**
 * Finds, through `cause` chains and aggregated errors, the outermost error that its author threw on purpose.
 *
 * A `CallError` states no outcome, but lets a `Failure`, `PermanentError` or `AuthorizationError` inside it keep its
 * meaning; a `ToolError` inside it does not, because its text would claim that the call definitely failed. Looks at
 * 64 errors at most, and is safe on every value that can be thrown.
 */
export function findThrown(thrown: unknown): Thrown {
  const queue: unknown[] = [thrown];
  let evidence: Thrown | undefined;
  // Level by level, so that the outermost one is met first. A cycle ends at the bound.
  for (let index = 0; index < queue.length && index < MAX_ERRORS; index++) {
    const error = queue[index];
    if (typeof error !== 'object' || error === null) continue;
    const found = readThrown(error);
    if (found !== undefined && found.kind !== 'call-error') {
      if (found.kind !== 'tool-error' || evidence === undefined) return found;
    }
    if (found?.kind === 'call-error') evidence ??= found;
    addInner(error, queue);
  }
  return evidence ?? OTHER;
}

/** What one error means; `undefined` when it was not thrown on purpose, or cannot be read. */
function readThrown(error: object): Thrown | undefined {
  try {
    const kind = thrownKind(error);
    return kind === undefined ? undefined : readKind(kind, error);
  } catch (fault) {
    ignoreThrown(fault);
    return undefined;
  }
}

// By reflection and with a check of each value: the error may come from another copy of the package.
function readKind(kind: ThrownKind, error: object): Thrown | undefined {
  switch (kind) {
    case 'tool-error': {
      const text: unknown = Reflect.get(error, 'text');
      return typeof text === 'string' ? { kind, text } : undefined;
    }
    case 'failure': {
      const failure: unknown = Reflect.get(error, 'kind');
      if (failure !== 'failed' && failure !== 'rejected') return undefined;
      return { kind, failure, output: outputOf(Reflect.get(error, 'output')), diagnosis: diagnose(error) };
    }
    case 'call-error':
      return {
        kind,
        evidence: outputOf(Reflect.get(error, 'evidence')),
        interrupted: Reflect.get(error, 'interrupted') === true,
      };
    case 'permanent':
      return { kind, cause: Reflect.get(error, 'cause') };
    case 'authorization':
      return { kind, diagnosis: diagnose(error) };
  }
}

function diagnose(error: object): unknown {
  const diagnosis: unknown = Reflect.get(error, 'diagnosis');
  return typeof diagnosis === 'function' ? Reflect.apply(diagnosis, error, []) : undefined;
}

function addInner(error: object, queue: unknown[]): void {
  try {
    const cause: unknown = Reflect.get(error, 'cause');
    if (cause !== undefined) queue.push(cause);
    const errors: unknown = Reflect.get(error, 'errors');
    if (!Array.isArray(errors)) return;
    for (let index = 0; index < errors.length && index < MAX_ERRORS; index++) queue.push(errors[index]);
  } catch (fault) {
    ignoreThrown(fault);
    // What cannot be read holds nothing that an author meant to be found.
  }
}
