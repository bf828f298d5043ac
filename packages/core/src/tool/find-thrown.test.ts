import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AuthorizationError } from './authorization-error.ts';
import { CallError } from './call-error.ts';
import { Failure } from './failure.ts';
import { findThrown } from './find-thrown.ts';
import { PermanentError } from './permanent-error.ts';
import { markThrown } from './thrown-mark.ts';
import { ToolError } from './tool-error.ts';

const wrap = (cause: unknown) => new Error('outer text with a password', { cause });

test('the text of a wrapped ToolError is found, not that of its wrapper', () => {
  expect(findThrown(wrap(wrap(new ToolError('public'))))).toEqual({ kind: 'tool-error', text: 'public' });
});

test('an ordinary error means nothing', () => {
  for (const error of [new Error('x'), wrap(new Error('y')), 'ToolError', undefined, null, 7]) {
    expect(findThrown(error)).toEqual({ kind: 'other' });
  }
});

test('the outermost error that was thrown on purpose wins', () => {
  const failure = new Failure({ kind: 'rejected', output: 'no' });
  expect(findThrown(new PermanentError(failure)).kind).toBe('permanent');
  expect(findThrown(wrap(Object.assign(new ToolError('a'), { cause: failure })))).toMatchObject({
    text: 'a',
  });
});

test('a failure gives its output and its sealed cause, and nothing in its cause is found', () => {
  const cause = new ToolError('must not be published');
  const failure = new Failure({ kind: 'failed', output: 'public', cause });
  const found = findThrown(wrap(failure));
  expect(found).toMatchObject({ kind: 'failure', failure: 'failed', diagnosis: cause });
  expect(found.kind === 'failure' && found.output.text()).toBe('public');
});

test('what an authorizer threw stays sealed, a ToolError too', () => {
  const cause = new ToolError('must not be published');
  expect(findThrown(wrap(new AuthorizationError(cause)))).toEqual({
    kind: 'authorization',
    diagnosis: cause,
  });
});

test('a CallError states no outcome, not even around a ToolError', () => {
  const found = findThrown(new CallError({ cause: new ToolError('x'), evidence: 'sent' }));
  expect(found.kind === 'call-error' && found.evidence.text()).toBe('sent');
});

test('a CallError lets a definite outcome and control signals inside it keep their meaning', () => {
  const around = (cause: unknown) => findThrown(new CallError({ cause: wrap(cause), evidence: 'sent' })).kind;
  expect(around(new Failure({ kind: 'rejected', output: 'no' }))).toBe('failure');
  expect(around(new PermanentError('x'))).toBe('permanent');
  expect(around(new AuthorizationError('x'))).toBe('authorization');
});

test('of two CallErrors the outer evidence is given', () => {
  const inner = new CallError({ cause: 1, evidence: 'inner' });
  const found = findThrown(new CallError({ cause: inner, evidence: 'outer' }));
  expect(found.kind === 'call-error' && found.evidence.text()).toBe('outer');
});

test('an aggregated error is searched in order', () => {
  const error = new AggregateError([new Error('x'), new ToolError('first'), new ToolError('second')]);
  expect(findThrown(error)).toEqual({ kind: 'tool-error', text: 'first' });
});

test('cycles and endless chains end', () => {
  const cycle = new Error('x');
  cycle.cause = cycle;
  const endless = () => ({
    get cause() {
      return endless();
    },
  });
  const wide = new AggregateError([]);
  wide.errors = new Array(1_000_000).fill(new Error('x'));
  expect([findThrown(cycle), findThrown(endless()), findThrown(wide)].map(({ kind }) => kind)).toEqual([
    'other',
    'other',
    'other',
  ]);
});

const throwing = (name: string) =>
  Object.defineProperty(new Error('x'), name, {
    get: () => {
      throw new Error('trap');
    },
  });
const everyTrap = new Proxy(
  {},
  {
    get: () => {
      throw new Error('trap');
    },
    has: () => {
      throw new Error('trap');
    },
  },
);
const echo = new Proxy({}, { get: () => 'tool-error' });
const hostile: readonly (readonly [string, unknown])[] = [
  ['a throwing cause', throwing('cause')],
  ['throwing errors', throwing('errors')],
  ['a throwing message', throwing('message')],
  ['a proxy that throws', everyTrap],
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
  ['a forged failure without output', forged('failure', { kind: 'failed' })],
  ['a forged failure of no kind', forged('failure', { kind: 'done', output: 'x' })],
  ['a forged text that is no text', forged('tool-error', { text: { toString: () => 'x' } })],
  ['an unknown mark', forged('spared' as 'failure', {})],
];

function forged(kind: Parameters<typeof markThrown>[1], members: object): Error {
  const error = Object.assign(new Error('x'), members);
  markThrown(error, kind);
  return error;
}

test.each(hostile)('%s is contained and means nothing', (_, error) => {
  expect(findThrown(error)).toEqual({ kind: 'other' });
  expect(findThrown(wrap(error))).toEqual({ kind: 'other' });
});

test('a proxy that answers everything with one text publishes no more than that text', () => {
  expect(findThrown(echo)).toEqual({ kind: 'tool-error', text: 'tool-error' });
});

test('the failure of a second copy is read with its output checked anew', () => {
  const output = {
    kind: 'tool-output',
    parts: [{ kind: 'text', text: 'a' }],
    byteSize: 1,
    text: () => 'a lie',
  };
  const found = findThrown(forged('failure', { kind: 'rejected', output }));
  expect(found.kind === 'failure' && found.output.text()).toBe('a');
});

test('nothing that can be thrown makes the search throw', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true }), (value) => {
      expect(findThrown(wrap(value)).kind).toBe('other');
    }),
  );
});
