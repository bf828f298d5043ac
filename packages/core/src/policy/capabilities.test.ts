import { describe, expect, test } from 'vitest';
import { defineTool } from '../tool/define-tool.ts';
import { textOutput } from '../tool/make-output.ts';
import { DEFAULT_TIMEOUT_MS, type ExecutionClass } from '../tool/profile.ts';
import type { Tool } from '../tool/tool.ts';
import { availabilityOf, isAvailable } from './availability.ts';
import { EXECUTION_RANKS, rankOf } from './execution-rank.ts';
import { PolicyError } from './policy-error.ts';
import { isPrivileged } from './privileged.ts';
import { profileOf } from './profile-of.ts';
import { resultBudgetOf } from './result-budget-of.ts';

const inner: Tool = {
  definition: () => ({ name: 'inner', description: '', inputSchema: { type: 'object' } }),
  call: async () => textOutput('done'),
};

/** A tool with members that the types would not let through. */
const withMembers = (members: object, wrapped?: Tool): Tool =>
  ({ ...inner, ...(wrapped === undefined ? {} : { unwrap: () => wrapped }), ...members }) as Tool;

const throwing = (member: string): Tool =>
  Object.defineProperty({ ...inner }, member, {
    enumerable: true,
    get: () => {
      throw new Error('secret');
    },
  });

test('ranks grow from unclassified to external, and a word outside the list ranks above all of them', () => {
  expect(Object.entries(EXECUTION_RANKS).sort((one, other) => one[1] - other[1])).toEqual([
    ['unclassified', 0],
    ['read', 1],
    ['write', 2],
    ['external', 3],
  ]);
  for (const word of ['', 'Read', 'admin', '__proto__', 'constructor', 'toString']) {
    expect(rankOf(word)).toBeGreaterThan(EXECUTION_RANKS.external);
  }
});

describe('profileOf', () => {
  test('gives the defaults for a tool without a profile', () => {
    expect(profileOf(inner)).toEqual({
      class: 'unclassified',
      resourceKey: undefined,
      timeoutMs: DEFAULT_TIMEOUT_MS,
      idempotent: false,
    });
    expect(DEFAULT_TIMEOUT_MS).toBe(600_000);
  });

  test('keeps what is declared and fills in the rest, frozen', () => {
    const profile = profileOf(
      withMembers({ profile: { class: 'write', timeoutMs: 'none', resourceKey: 'db' } }),
    );
    expect(profile).toEqual({ class: 'write', resourceKey: 'db', timeoutMs: 'none', idempotent: false });
    expect(Object.isFrozen(profile)).toBe(true);
  });

  test('is taken from the outermost tool of a chain that has one', () => {
    const read = withMembers({ profile: { class: 'read' } });
    expect(profileOf(withMembers({}, withMembers({}, read))).class).toBe('read');
    expect(profileOf(withMembers({ profile: { class: 'external' } }, read)).class).toBe('external');
  });

  test('lets a class outside the list pass, while defineTool refuses it where it is declared', () => {
    expect(profileOf(withMembers({ profile: { class: 'nuclear' } })).class).toBe('nuclear');
    const declare = (word: string): unknown =>
      defineTool({
        name: 'x',
        description: '',
        input: { type: 'object' },
        profile: { class: word as ExecutionClass },
        execute: () => '',
      });
    expect(() => declare('nuclear')).toThrow(expect.objectContaining({ code: 'tool/options-invalid' }));
  });

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a string', 'read'],
    ['an unknown field', { klass: 'read' }],
    ['a class that is no string', { class: 2 }],
    ['a timeout of NaN', { timeoutMs: Number.NaN }],
    ['a timeout of Infinity', { timeoutMs: Number.POSITIVE_INFINITY }],
    ['a negative timeout', { timeoutMs: -5 }],
    ['a timeout of zero', { timeoutMs: 0 }],
    ['a timeout as text', { timeoutMs: '5000' }],
    ['a blank key', { resourceKey: '  ' }],
    ['a key that is a number', { resourceKey: 7 }],
    ['idempotent as text', { idempotent: 'yes' }],
    ['a check that is no name', { checkWith: '' }],
  ])('refuses %s', (_name, profile) => {
    expect(() => profileOf(withMembers({ profile }))).toThrow(
      expect.objectContaining({ code: 'policy/profile-invalid' }),
    );
  });

  test('names the field of a profile that it does not know', () => {
    expect(() => profileOf(withMembers({ profile: { klass: 'read' } }))).toThrow(/"klass"; it takes class,/);
  });
});

test.each<[string, (tool: Tool) => unknown]>([
  ['profile', profileOf],
  ['privileged', isPrivileged],
  ['resultBudget', resultBudgetOf],
  ['available', availabilityOf],
])('a getter of %s that throws is reported without its text', (member, read) => {
  expect(() => read(throwing(member))).toThrow(
    expect.objectContaining({ name: 'PolicyError', message: expect.not.stringContaining('secret') }),
  );
});

const broken = new Proxy(
  {},
  {
    ownKeys: () => {
      throw new Error('secret');
    },
  },
);

test.each<[string, (tool: Tool) => unknown]>([
  ['profile', profileOf],
  ['resultBudget', resultBudgetOf],
])('a %s whose members cannot be read is refused without their text', (member, read) => {
  expect(() => read(withMembers({ [member]: broken }))).toThrow(
    expect.objectContaining({ name: 'PolicyError', message: expect.not.stringContaining('secret') }),
  );
});

test('a policy error is recognised by name and code, also from another copy, and never by anything else', () => {
  expect(PolicyError.is(new PolicyError('policy/scope-invalid', 'x'))).toBe(true);
  const copy = Object.assign(new Error('x'), { name: 'PolicyError', code: 'policy/grant-void' });
  expect(PolicyError.is(copy)).toBe(true);
  const hostile = new Proxy(copy, {
    getPrototypeOf: () => {
      throw new Error('no');
    },
  });
  const other = Object.assign(new Error('x'), { name: 'PolicyError', code: 'policy/none' });
  for (const value of [undefined, new Error('x'), other, 'policy/grant-void', hostile])
    expect(PolicyError.is(value)).toBe(false);
});

describe('isPrivileged', () => {
  test('is false unless a tool of the chain says true', () => {
    expect(isPrivileged(inner)).toBe(false);
    expect(isPrivileged(withMembers({}, withMembers({ privileged: true })))).toBe(true);
    expect(isPrivileged(withMembers({ privileged: false }))).toBe(false);
  });

  test.each([undefined, null, 1, 'true', {}])('refuses %j', (privileged) => {
    expect(() => isPrivileged(withMembers({ privileged }))).toThrow(
      expect.objectContaining({ code: 'policy/privileged-invalid' }),
    );
  });
});

describe('resultBudgetOf', () => {
  test('is undefined for a tool without one, and a frozen copy otherwise', () => {
    expect(resultBudgetOf(inner)).toBeUndefined();
    const resultBudget = { bytes: 10, overflow: 'fail' };
    const budget = resultBudgetOf(withMembers({}, withMembers({ resultBudget })));
    resultBudget.bytes = 1_000_000;
    expect(budget).toEqual({ bytes: 10, overflow: 'fail' });
    expect(Object.isFrozen(budget)).toBe(true);
    expect(resultBudgetOf(withMembers({ resultBudget: { bytes: 'none', overflow: 'store' } }))?.bytes).toBe(
      'none',
    );
  });

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['a number', 100],
    ['no bytes', { overflow: 'fail' }],
    ['zero bytes', { bytes: 0, overflow: 'fail' }],
    ['a fraction', { bytes: 1.5, overflow: 'fail' }],
    ['negative bytes', { bytes: -1, overflow: 'fail' }],
    ['bytes as text', { bytes: '100', overflow: 'fail' }],
    ['no overflow', { bytes: 1 }],
    ['an unknown overflow', { bytes: 1, overflow: 'ignore' }],
    ['an unknown field', { bytes: 1, overflow: 'fail', max: 2 }],
  ])('refuses %s', (_name, resultBudget) => {
    expect(() => resultBudgetOf(withMembers({ resultBudget }))).toThrow(
      expect.objectContaining({ code: 'policy/budget-invalid' }),
    );
  });
});

describe('availability', () => {
  test('a tool without a policy is available', async () => {
    expect(availabilityOf(inner)).toBeUndefined();
    expect(await isAvailable(inner, {})).toBe(true);
  });

  test('a policy is asked with the context, as a member of the tool that declares it', async () => {
    const seen: unknown[] = [];
    const owner: Tool = {
      ...inner,
      available(context: unknown) {
        seen.push(context, this === owner);
        return false;
      },
    };
    expect(await isAvailable(withMembers({}, owner), 'the context')).toBe(false);
    expect(seen).toEqual(['the context', true]);
  });

  test('a policy that answers at once is answered at once', () => {
    expect(availabilityOf(withMembers({ available: () => true }))?.({})).toBe(true);
  });

  test.each([undefined, null, true, 'yes', {}])(
    'a policy that is %j and not a function is refused',
    (available) => {
      expect(() => availabilityOf(withMembers({ available }))).toThrow(
        expect.objectContaining({ code: 'policy/availability-invalid' }),
      );
    },
  );

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['1', 1],
    ['"true"', 'true'],
    ['an object', {}],
    ['a promise of undefined', Promise.resolve(undefined)],
    ['a promise of 1', Promise.resolve(1)],
  ])('an answer of %s is no yes', async (_name, answer) => {
    await expect(isAvailable(withMembers({ available: () => answer }), {})).rejects.toThrow(
      expect.objectContaining({ code: 'policy/availability-failed' }),
    );
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('the database is down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the database is down'))],
    [
      'has a throwing then',
      () => ({
        get then() {
          throw new Error('the database is down');
        },
      }),
    ],
  ])(
    'a policy that %s could not decide; the cause is kept, its text is not shown',
    async (_name, available) => {
      await expect(isAvailable(withMembers({ available }), {})).rejects.toThrow(
        expect.objectContaining({
          code: 'policy/availability-failed',
          message: expect.not.stringContaining('database'),
          cause: expect.objectContaining({ message: 'the database is down' }),
        }),
      );
    },
  );
});
