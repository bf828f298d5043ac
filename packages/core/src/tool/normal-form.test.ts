import { type } from 'arktype';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createGate } from '../gate/create-gate.ts';
import { createGrant } from '../policy/approval-grant.ts';
import { createScope } from '../policy/scope.ts';
import { bind } from './binding.ts';
import { defineContract } from './define-contract.ts';
import { defineTool } from './define-tool.ts';
import { guard } from './guard.ts';
import type { InputValidator } from './input-validator.ts';

const RESERVED = 'admin';

/** A tool that is not for one user, and what its policies and its handler saw. */
function deleting<Input>(input: Input) {
  const seen: Record<'guard' | 'approver' | 'key' | 'handler', unknown[]> = {
    guard: [],
    approver: [],
    key: [],
    handler: [],
  };
  const tool = defineTool({
    name: 'delete_user',
    description: '',
    profile: {
      class: 'write',
      resourceKey: (args) => {
        seen.key.push(args);
        return 'users';
      },
    },
    input: input as z.ZodType<unknown>,
    execute: (made) => {
      seen.handler.push(made);
      return 'deleted';
    },
  });
  const guarded = guard({
    tool,
    authorizer: ({ arguments: args }) => {
      seen.guard.push(args);
      return args['user'] !== RESERVED;
    },
  });
  const scope = createScope({
    approve: (request) => {
      seen.approver.push(request.arguments);
      return 'allow';
    },
  });
  return { seen, gate: createGate({ tools: [guarded], scope }) };
}

async function reasonOf(gate: ReturnType<typeof deleting>['gate'], args: object): Promise<string> {
  const session = await gate.open();
  const { reason } = await session.execute({
    id: 'c1',
    name: 'delete_user',
    arguments: JSON.stringify(args),
  });
  await session.close();
  return reason;
}

describe('arguments that a library gives their normal form', () => {
  test.each<[string, unknown, string]>([
    ['lower case', z.object({ user: z.string().toLowerCase() }), 'ADMIN'],
    ['no spaces around', z.object({ user: z.string().trim() }), ' admin\t'],
    ['one kind of letters', z.object({ user: z.string().normalize('NFKC') }), 'ａｄｍｉｎ'],
    [
      'a rule of its own',
      z.object({ user: z.string().overwrite((name) => name.replace(/^@+/, '')) }),
      '@admin',
    ],
    ['the same by another library', type({ user: 'string.lower' }), 'Admin'],
    [
      'what is written over the argument itself',
      z.preprocess(
        (given) => Object.assign(Object(given), { user: String(Object(given).user).trim() }),
        z.object({ user: z.string() }),
      ),
      ' admin',
    ],
  ])('are decided on in it: %s', async (_what, input, written) => {
    const { gate, seen } = deleting(input);
    expect(await reasonOf(gate, { user: written })).toBe('not_authorized');
    expect(seen.handler).toEqual([]);
    const other = written.replace(/.$/su, 'm2').trim();
    expect(await reasonOf(gate, { user: other })).toBe('completed');
    const [ran] = seen.handler;
    expect([seen.guard.at(-1), seen.approver.at(-1), seen.key.at(-1)]).toEqual([ran, ran, ran]);
  });

  test.each<[string, unknown, object]>([
    ['a date', z.object({ at: z.iso.date().transform((text) => new Date(text)) }), { at: '2026-01-01' }],
    ['a length', z.object({ user: z.string().transform((text) => text.length) }), { user: 'ada' }],
    [
      'another text each time',
      z.object({ user: z.string().transform((text) => `u/${text}`) }),
      { user: 'ada' },
    ],
    [
      'more members',
      z.object({ user: z.string() }).transform((all) => ({ ...all, all: true })),
      { user: 'ada' },
    ],
    ['nothing with a form', z.object({ user: z.string() }).transform(() => new Map()), { user: 'ada' }],
  ])('that become %s are decided on as they were written', async (_what, input, args) => {
    const { gate, seen } = deleting(input);
    expect(await reasonOf(gate, args)).toBe('completed');
    expect([seen.guard.at(-1), seen.approver.at(-1)]).toEqual([args, args]);
  });

  const mixed = z.object({
    user: z.string().toLowerCase(),
    note: z.string().max(10).normalize('NFKC').optional(),
    at: z.iso
      .date()
      .transform((text) => new Date(text))
      .optional(),
    path: z
      .string()
      .transform((text) => `/data/${text}`)
      .optional(),
    lines: z.array(z.string().trim()).optional(),
  });

  test.each<[string, object]>([
    ['one that becomes a date', { at: '2026-01-01' }],
    ['one that is another one each time', { path: 'a' }],
    ['one whose normal form the schema does not admit', { note: '\ufdfa'.repeat(10) }],
    ['very many', { lines: Array.from({ length: 30_000 }, () => ' a') }],
    [
      'one whose normal form is larger than a call may be',
      { path: 'x'.repeat(500_000), note: 'x', at: '2026-01-01' },
    ],
    ['all of them', { at: '2026-01-01', path: 'a', note: '\ufdfa'.repeat(10), lines: [' a'] }],
  ])('are not hidden by another member: %s', async (_what, others) => {
    const { gate, seen } = deleting(mixed);
    expect(await reasonOf(gate, { user: 'ADMIN', ...others })).toBe('not_authorized');
    expect(seen.handler).toEqual([]);
  });

  test('are not hidden by what stands beside them in one member', async () => {
    const target = z.object({
      who: z.object({
        user: z.string().toLowerCase(),
        since: z.iso.date().transform((text) => new Date(text)),
        home: z.string().transform((text) => `/home/${text}`),
        groups: z.array(
          z.object({ name: z.string().trim(), id: z.string().transform((text) => `g-${text}`) }),
        ),
      }),
    });
    const { gate, seen } = deleting(target);
    const who = { user: 'ADMIN', since: '2026-01-01', home: 'a', groups: [{ name: ' b', id: '1' }] };
    expect(await reasonOf(gate, { who })).toBe('completed');
    const decided = { who: { ...who, user: 'admin', groups: [{ name: 'b', id: '1' }] } };
    expect([seen.guard.at(-1), seen.approver.at(-1)]).toEqual([decided, decided]);
    expect(seen.handler).toMatchObject([
      { who: { user: 'admin', home: '/home/a', groups: [{ name: 'b', id: 'g-1' }] } },
    ]);
  });

  const tidyText = z.string().min(1).trim().toLowerCase();

  test.each<[string, z.ZodType, object, object]>([
    ['list', z.object({ list: z.array(tidyText) }), { list: ['ADMIN', ' '] }, { list: ['admin', ' '] }],
    [
      'object',
      z.object({ who: z.object({ user: tidyText, note: tidyText }) }),
      { who: { user: 'ADMIN', note: ' ' } },
      { who: { user: 'admin', note: ' ' } },
    ],
    ['record', z.object({}).catchall(tidyText), { user: 'ADMIN', note: ' ' }, { user: 'admin', note: ' ' }],
    [
      'tool with a member that grows',
      z.object({
        range: z.string().transform((text) => Array.from({ length: Number(text) }, () => [1, 2, 3])),
        who: z.object({ user: tidyText }),
      }),
      { range: '9000', who: { user: 'ADMIN' } },
      { range: '9000', who: { user: 'admin' } },
    ],
    [
      'union',
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('a'), user: tidyText, note: tidyText, at: z.string().transform(Number) }),
      ]),
      { kind: 'a', user: 'ADMIN', note: ' ', at: '5' },
      { kind: 'a', user: 'admin', note: ' ', at: '5' },
    ],
  ])(
    'are not hidden by what the schema does not admit beside them in one %s',
    async (_what, input, args, decided) => {
      const { gate, seen } = deleting(input);
      await reasonOf(gate, args);
      expect(seen.guard).toEqual([decided]);
    },
  );

  test('are refused where nobody can look at each part, and decided on where there are but many', async () => {
    const input = z.object({ user: tidyText, lines: z.array(tidyText) });
    const lines = (count: number) => Array.from({ length: count }, (_, at) => (at % 2 === 0 ? 'A' : ' '));
    const { gate, seen } = deleting(input);
    expect(await reasonOf(gate, { user: 'ADMIN', lines: lines(500) })).toBe('not_authorized');
    expect(await reasonOf(gate, { user: 'ADMIN', lines: lines(50_000) })).toBe('arguments_rejected');
    expect(seen.handler).toEqual([]);
  });

  test('are the same call for a grant, however they are written when it is used', async () => {
    const tool = defineTool({
      name: 't',
      description: '',
      input: z.object({ user: z.string().trim() }),
      execute: ({ user }) => `[${user}]`,
    });
    const gate = createGate({ tools: [tool], scope: createScope({ approve: () => 'defer' }) });
    const session = await gate.open();
    const waiting = await session.execute({ id: 'c', name: 't', arguments: '{"user":" ada "}' });
    if (waiting.kind !== 'suspended') expect.unreachable('nobody was asked');
    expect(waiting.approval.arguments).toEqual({ user: 'ada' });
    const again = { id: 'c', name: 't', arguments: '{"user":"ada  "}' };
    const ran = await session.execute(again, { grant: createGrant(waiting.approval) });
    expect(ran.kind === 'completed' && ran.output.text()).toBe('[ada]');
    await session.close();
  });
});

describe('the normal form of arguments', () => {
  const contractOf = (validator: InputValidator) =>
    defineContract(
      { name: 't', description: '', inputSchema: { type: 'object', properties: { a: { type: 'string' } } } },
      { validator, maxArgumentBytes: 64 },
    );
  const admitted = (validator: InputValidator, text: string): unknown => {
    const prepared = contractOf(validator).prepare({ id: 'c', name: 't', arguments: text });
    return prepared.ok && prepared.invocation.arguments();
  };
  const making =
    (value: unknown): InputValidator =>
    () => ({ kind: 'valid', value });

  test.each<[string, InputValidator]>([
    ['the schema does not admit', making({ a: 5 })],
    ['is no object', making('text')],
    ['is too large', making({ a: 'y'.repeat(100) })],
    ['holds what is no JSON', making({ a: ['y', 1n] })],
    ['computes a member', making(Object.defineProperty({}, 'a', { enumerable: true, get: () => 'y' }))],
    [
      'throws when it is looked at',
      making(
        new Proxy(
          {},
          {
            ownKeys() {
              throw new Error('no');
            },
          },
        ),
      ),
    ],
    ['is endless', making(Array.from({ length: 20_000 }, (_, index) => index))],
    ['is of a class', making({ a: new String('y') })],
    [
      'is not admitted by the validator itself',
      ({ a }) =>
        a === 'y' ? { kind: 'invalid', issues: [{ message: 'no' }] } : { kind: 'valid', value: { a: 'y' } },
    ],
    ['is another one each time', (value) => ({ kind: 'valid', value: { a: `${JSON.stringify(value)}y` } })],
  ])('is not what %s', (_what, validator) => {
    expect(admitted(validator, '{"a":"x"}')).toEqual({ a: 'x' });
  });

  test('is admitted, and its own normal form', () => {
    const lower: InputValidator = (value) => ({
      kind: 'valid',
      value: JSON.parse(JSON.stringify(value).toLowerCase()) as unknown,
    });
    const { contract } = bind({
      definition: () => ({ name: 't', description: '', inputSchema: { type: 'object' } }),
      inputValidator: () => lower,
      call: () => Promise.reject(new Error('unused')),
    });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (args) => {
        const text = JSON.stringify(args);
        const first = contract.prepare({ id: 'c', name: 't', arguments: text });
        if (!first.ok) return;
        const { argumentsText } = first.invocation;
        const second = contract.prepare({ id: 'c', name: 't', arguments: argumentsText });
        expect(second.ok && second.invocation.argumentsText).toBe(argumentsText);
      }),
    );
  });
});
