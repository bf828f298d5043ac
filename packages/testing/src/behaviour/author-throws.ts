import { CallError, Failure, PermanentError, ToolError } from '@toolgate/core';

const DSN = 'postgres://app:hunter2@db.internal:5432/prod';
const cause = (): Error => new Error(`connect ${DSN}`);

/**
 * What a handler throws on purpose, by id: errors of the core with text for the model or a stated outcome, some of
 * them inside errors that are not for the model. `postgres://app:hunter2@db.internal:5432/prod` never is.
 */
export const authorThrows: ReadonlyMap<string, () => unknown> = new Map<string, () => unknown>([
  ['author-tool-error', () => new ToolError('No maintenance window is scheduled.')],
  ['author-tool-error-wrapped', () => new Error(DSN, { cause: new ToolError('Pick another day.') })],
  [
    'author-tool-error-deep',
    () => new Error(DSN, { cause: new Error('middle', { cause: new ToolError('Pick another day.') }) }),
  ],
  [
    'author-tool-error-aggregate',
    () => new AggregateError([cause(), new ToolError('Pick another day.')], `all of ${DSN}`),
  ],
  ['author-tool-error-cause', () => Object.assign(new ToolError('Pick another day.'), { cause: cause() })],
  ['author-tool-error-renamed', () => Object.assign(new ToolError('Pick another day.'), { message: DSN })],
  ['author-tool-error-huge', () => new ToolError('Pick another day. '.repeat(300_000))],
  ['author-tool-error-empty', () => new ToolError('')],
  [
    'author-failed',
    () => new Failure({ kind: 'failed', output: 'Two of three rows were written.', cause: cause() }),
  ],
  [
    'author-rejected',
    () => new Failure({ kind: 'rejected', output: 'The window is closed.', cause: cause() }),
  ],
  [
    'author-failed-wrapped',
    () =>
      new Error(DSN, {
        cause: new Failure({ kind: 'failed', output: 'Half of it was done.', cause: cause() }),
      }),
  ],
  // The sealed cause of a failure cannot turn it into something else.
  [
    'author-failed-over-permanent',
    () => new Failure({ kind: 'failed', output: 'Half of it was done.', cause: new PermanentError(cause()) }),
  ],
  [
    'author-failed-over-tool-error',
    () =>
      new Failure({ kind: 'failed', output: 'Half of it was done.', cause: new ToolError('Never said.') }),
  ],
  [
    'author-call-error',
    () => new CallError({ cause: cause(), evidence: 'The transfer was accepted for checking.' }),
  ],
  [
    'author-call-error-failure',
    () =>
      new CallError({
        cause: new Failure({ kind: 'rejected', output: 'The window is closed.' }),
        evidence: 'The door was reached.',
      }),
  ],
  [
    'author-call-error-tool-error',
    () =>
      new CallError({
        cause: new ToolError('Never said.'),
        evidence: 'The transfer was accepted for checking.',
      }),
  ],
  ['author-permanent', () => new PermanentError(cause())],
  ['author-permanent-wrapped', () => new Error('outer', { cause: new PermanentError(cause()) })],
  ['author-permanent-tool-error', () => new PermanentError(new ToolError('Never said.'))],
  [
    'author-permanent-call-error',
    () => new CallError({ cause: new PermanentError(cause()), evidence: 'The door was reached.' }),
  ],
]);
