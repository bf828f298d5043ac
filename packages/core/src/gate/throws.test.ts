import { describe, expect, test } from 'vitest';
import { createScope } from '../policy/scope.ts';
import { CallError } from '../tool/call-error.ts';
import { defineTool } from '../tool/define-tool.ts';
import { Failure } from '../tool/failure.ts';
import { jsonOutput, toolOutput } from '../tool/make-output.ts';
import { ToolError } from '../tool/tool-error.ts';
import { createGate } from './create-gate.ts';
import type { GateConfig } from './gate-config.ts';
import type { GateEvent } from './gate-event.ts';
import type { Outcome } from './outcome.ts';
import { createRedactor } from './redactor.ts';

const SECRET = 'postgres://app:pw@db.internal:5432/prod';

/** Runs one call of a tool that throws, with all that was observed. */
async function outcomeOf(
  thrown: unknown,
  config: Partial<GateConfig> = {},
): Promise<{ outcome: Outcome; events: GateEvent[] }> {
  const events: GateEvent[] = [];
  const tool = defineTool({
    name: 't',
    description: '',
    input: { type: 'object' },
    execute: () => {
      throw thrown;
    },
  });
  const session = await createGate({
    tools: [tool],
    observe: (event) => events.push(event),
    ...config,
  }).open();
  const outcome = await session.execute({ id: 'c1', name: 't', arguments: '' });
  await session.close();
  return { outcome, events };
}

const text = (outcome: Outcome): string => (outcome.kind === 'suspended' ? '' : outcome.output.text());

/** All that leaves the boundary by itself: the outcome, however it is encoded or copied, and the events. */
function leaving(outcome: Outcome, events: readonly GateEvent[]): string {
  return [
    JSON.stringify(outcome),
    JSON.stringify({ ...outcome }),
    text(outcome),
    JSON.stringify(events),
  ].join('\n');
}

describe('what a handler throws', () => {
  test.each<[string, unknown]>([
    ['an error', new Error(SECRET)],
    ['an error with a secret cause', new Error('failed', { cause: new Error(SECRET) })],
    ['an error with a secret stack', Object.assign(new Error('failed'), { stack: SECRET })],
    ['an error with secret members', Object.assign(new Error('failed'), { config: { url: SECRET } })],
    ['an aggregated error', new AggregateError([new Error(SECRET)], SECRET)],
    ['a string', SECRET],
    [
      'an object that only looks like a public error',
      { name: 'ToolError', code: 'tool/error', text: SECRET, message: SECRET },
    ],
    [
      'an error that has the name of a public one',
      Object.assign(new Error(SECRET), { name: 'ToolError', text: SECRET }),
    ],
    ['undefined', undefined],
    ['null', null],
    ['a function', () => SECRET],
    [
      'a proxy that throws',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error(SECRET);
          },
        },
      ),
    ],
    [
      'an error whose message throws',
      Object.defineProperty(new Error('x'), 'message', {
        get: () => {
          throw new Error(SECRET);
        },
      }),
    ],
    [
      'an error that is its own cause',
      (() => {
        const error = new Error(SECRET);
        error.cause = error;
        return error;
      })(),
    ],
  ])('by accident, such as %s, is redacted and kept as the cause', async (_name, thrown) => {
    const { outcome, events } = await outcomeOf(thrown);
    expect([outcome.kind, outcome.reason, text(outcome)]).toEqual([
      'failed',
      'handler_error',
      'The tool failed.',
    ]);
    expect(outcome.cause).toBe(thrown);
    expect(leaving(outcome, events)).not.toContain('db.internal');
    expect(events.at(-2)).toMatchObject({
      kind: 'call-end',
      outcome: 'failed',
      reason: 'handler_error',
      dispatched: true,
    });
  });

  test.each<[string, unknown]>([
    ['as it is', new ToolError('No window is scheduled.')],
    ['wrapped in another error', new Error(SECRET, { cause: new ToolError('No window is scheduled.') })],
    [
      'among others',
      new AggregateError([new Error(SECRET), new ToolError('No window is scheduled.')], SECRET),
    ],
  ])('for the model is published, %s', async (_name, thrown) => {
    const { outcome, events } = await outcomeOf(thrown);
    expect([outcome.kind, outcome.reason, text(outcome)]).toEqual([
      'failed',
      'tool_error',
      'No window is scheduled.',
    ]);
    expect(leaving(outcome, events)).not.toContain('db.internal');
  });

  test('may be a promise that is rejected, by a slip, and is an error like any other', async () => {
    // An unhandled rejection fails this run.
    const { outcome } = await outcomeOf(Promise.reject(new Error(SECRET)));
    expect([outcome.reason, text(outcome)]).toEqual(['handler_error', 'The tool failed.']);
    await new Promise((resolve) => setImmediate(resolve));
  });

  test('is not searched through: a client that it holds, and its promises, are the application’s own', async () => {
    let looks = 0;
    const client = new Proxy({}, { ownKeys: () => [String(++looks)] });
    const { outcome } = await outcomeOf(Object.assign(new Error('x'), { client }));
    expect(outcome).toMatchObject({ reason: 'handler_error' });
    expect(looks).toBe(0);
  });

  test('as a definite failure gives its own output and seals its cause', async () => {
    const failure = (kind: 'failed' | 'rejected') =>
      new Failure({ kind, output: jsonOutput({ done: 2, of: 5 }), cause: new Error(SECRET) });
    for (const [kind, reason] of [
      ['failed', 'tool_failure'],
      ['rejected', 'tool_rejected'],
    ] as const) {
      const { outcome, events } = await outcomeOf(failure(kind));
      expect([outcome.kind, outcome.reason, text(outcome)]).toEqual([kind, reason, '{"done":2,"of":5}']);
      expect(outcome.cause).toMatchObject({ message: SECRET });
      expect(leaving(outcome, events)).not.toContain('db.internal');
    }
  });

  test('as evidence states no outcome, and says that it is incomplete', async () => {
    const { outcome, events } = await outcomeOf(
      new CallError({ cause: new Error(SECRET), evidence: 'row 1 written' }),
    );
    expect([outcome.kind, outcome.reason]).toEqual(['unknown', 'call_error']);
    expect(text(outcome)).toMatch(/effects are unknown.*\nrow 1 written$/s);
    expect(leaving(outcome, events)).not.toContain('db.internal');
  });

  test('as a broken connection is interrupted, with what was observed where there is anything', async () => {
    const cause = new Error(SECRET);
    const plain = await outcomeOf(new CallError({ cause, evidence: '', interrupted: true }));
    expect([plain.outcome.kind, plain.outcome.reason]).toEqual(['unknown', 'interrupted']);
    expect(text(plain.outcome)).toBe('The call was interrupted. Its effects are unknown.');
    const seen = await outcomeOf(new CallError({ cause, evidence: 'row 1 written', interrupted: true }));
    expect(seen.outcome.reason).toBe('interrupted');
    expect(text(seen.outcome)).toMatch(/effects are unknown.*\nrow 1 written$/s);
    expect(leaving(seen.outcome, seen.events)).not.toContain('db.internal');
  });

  const HINT = 'Check with look before you repeat it.';

  test.each<[string, (cause: Error) => CallError, string]>([
    [
      'evidence',
      (cause) => new CallError({ cause, evidence: 'row 1 written' }),
      `The tool stopped before it could say how the call ended; its effects are unknown. It observed:\nrow 1 written\n${HINT}`,
    ],
    [
      'a broken connection',
      (cause) => new CallError({ cause, evidence: '', interrupted: true }),
      `The call was interrupted. Its effects are unknown. ${HINT}`,
    ],
    [
      'a broken connection with evidence',
      (cause) => new CallError({ cause, evidence: 'row 1 written', interrupted: true }),
      `The call was interrupted. Its effects are unknown. It observed:\nrow 1 written\n${HINT}`,
    ],
  ])(
    'as %s names the tool that shows what became of the call, where that one is offered',
    async (_, make, told) => {
      const input = { type: 'object' } as const;
      const tools = [
        defineTool({
          name: 't',
          description: '',
          input,
          profile: { checkWith: 'look' },
          execute: () => {
            throw make(new Error(SECRET));
          },
        }),
        defineTool({ name: 'look', description: '', input, execute: () => 'seen' }),
      ];
      const offered = await outcomeOf(undefined, { tools });
      expect(text(offered.outcome)).toBe(told);
      const hidden = await outcomeOf(undefined, { tools, scope: createScope({ deny: ['look'] }) });
      expect(text(hidden.outcome)).toBe(told.replace(new RegExp(`\\s${HINT}$`), ''));
    },
  );

  test('as evidence around a definite failure keeps the failure', async () => {
    const inner = new Failure({ kind: 'failed', output: 'rolled back', cause: 1 });
    const { outcome } = await outcomeOf(new CallError({ cause: inner, evidence: 'row 1 written' }));
    expect([outcome.reason, text(outcome)]).toEqual(['tool_failure', 'rolled back']);
  });

  test('is cut to the budget and redacted like any result', async () => {
    const redact = createRedactor({ secrets: ['hunter2'] });
    const { outcome, events } = await outcomeOf(new ToolError(`hunter2 ${'x'.repeat(300_000)}`), { redact });
    expect(text(outcome)).toMatch(/^\[redacted\] x+/);
    expect(text(outcome).length).toBeLessThanOrEqual(262_144);
    expect(events.at(-2)).toMatchObject({ kind: 'call-end', redactions: 1 });
    const broken = await outcomeOf(new ToolError('hunter2'), {
      redact: () => {
        throw new Error('x');
      },
    });
    expect([broken.outcome.reason, text(broken.outcome)]).toEqual([
      'tool_error',
      'What the tool said cannot be shown.',
    ]);
  });

  test('with media within its evidence keeps them as parts', async () => {
    const evidence = toolOutput({ parts: [{ kind: 'image', mediaType: 'image/png', data: 'iVBORw0KGgoA' }] });
    const { outcome } = await outcomeOf(new CallError({ cause: 1, evidence }));
    expect(outcome.kind !== 'suspended' && outcome.output.parts.map(({ kind }) => kind)).toEqual([
      'text',
      'image',
    ]);
  });
});

describe('a model that is wrong about its arguments', () => {
  const tool = defineTool({
    name: 't',
    description: '',
    input: {
      type: 'object',
      properties: { n: { type: 'integer' } },
      required: ['n'],
      additionalProperties: false,
    },
    execute: () => 'ran',
  });

  test.each([
    ['{"n":1', 'arguments_malformed'],
    ['{"n":1,"n":2}', 'arguments_malformed'],
    ['{"n":1e999}', 'arguments_malformed'],
    ['{"n":9007199254740993}', 'arguments_malformed'],
    ['{"__proto__":{}}', 'arguments_malformed'],
    ['"{\\"n\\":1}"', 'arguments_not_object'],
    ['[1]', 'arguments_not_object'],
    ['', 'arguments_rejected'],
    ['{"n":"1"}', 'arguments_rejected'],
    ['{"n":1,"m":2}', 'arguments_rejected'],
    ['['.repeat(100), 'arguments_too_deep'],
    [' '.repeat(1_048_577), 'arguments_too_large'],
  ])('%# is told so: %s', async (text_, reason) => {
    const session = await createGate({ tools: [tool] }).open();
    const outcome = await session.execute({ id: 'c1', name: 't', arguments: text_ });
    expect([outcome.kind, outcome.reason]).toEqual(['invalid', reason]);
    expect(text(outcome).length).toBeGreaterThan(10);
    expect(text(outcome).length).toBeLessThan(1_000);
    await session.close();
  });

  test.each<[string, unknown, string]>([
    ['no object', null, 'tool_unavailable'],
    ['an object', {}, 'tool_unavailable'],
    ['a number as id', { id: 5, name: 't', arguments: '{"n":1}' }, 'call_id_invalid'],
    ['a blank id', { id: ' ', name: 't', arguments: '{"n":1}' }, 'call_id_invalid'],
    ['a long id', { id: 'x'.repeat(257), name: 't', arguments: '{"n":1}' }, 'call_id_invalid'],
    ['parsed arguments', { id: 'c', name: 't', arguments: { n: 1 } }, 'arguments_malformed'],
    ['no arguments', { id: 'c', name: 't' }, 'arguments_malformed'],
    [
      'a name that is an object',
      { id: 'c', name: { toString: () => 't' }, arguments: '{"n":1}' },
      'tool_unavailable',
    ],
    [
      'a call that says it is not complete',
      { id: 'c', name: 't', arguments: '{"n":1}', complete: false },
      'call_incomplete',
    ],
    [
      'a call that says something else',
      { id: 'c', name: 't', arguments: '{"n":1}', complete: 'yes' },
      'call_incomplete',
    ],
    [
      'a throwing getter',
      {
        get id() {
          throw new Error('x');
        },
      },
      'tool_unavailable',
    ],
    [
      'a proxy that throws',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('x');
          },
        },
      ),
      'tool_unavailable',
    ],
  ])('or sends %s gets an outcome and not an error', async (_name, proposal, reason) => {
    const session = await createGate({ tools: [tool] }).open();
    expect((await session.execute(proposal as never)).reason).toBe(reason);
    await session.close();
  });

  test('is read once: what was checked is what runs', async () => {
    const texts = ['{"n":1}', '{"n":2}'];
    let reads = 0;
    const shifty = {
      id: 'c',
      name: 't',
      get arguments() {
        reads += 1;
        return texts.shift() ?? '';
      },
    };
    const session = await createGate({ tools: [tool] }).open();
    expect((await session.execute(shifty)).reason).toBe('completed');
    expect(reads).toBe(1);
    await session.close();
  });
});
