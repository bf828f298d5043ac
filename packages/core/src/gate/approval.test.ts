import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../testing/src/clock/fake-clock.ts';
import type { ApprovalDecision, ApprovalRequest, Approver } from '../policy/approval.ts';
import { createGrant } from '../policy/approval-grant.ts';
import { createScope } from '../policy/scope.ts';
import type { ScopeOptions } from '../policy/scope-options.ts';
import { defineTool } from '../tool/define-tool.ts';
import type { ExecutionClass } from '../tool/profile.ts';
import type { ExecuteOptions } from './call-decision.ts';
import { createGate } from './create-gate.ts';
import type { GateConfig } from './gate-config.ts';
import type { Outcome } from './outcome.ts';

/** A gate with a tool for each class, and what ran. */
function approving(scope: ScopeOptions, config: Partial<GateConfig> = {}) {
  const runs: unknown[] = [];
  const make = (executionClass: ExecutionClass, version = 1) =>
    defineTool({
      name: `do_${executionClass}`,
      description: `Version ${version}.`,
      input: {
        type: 'object',
        properties: { amount: { type: 'integer', maximum: 100 }, note: { type: 'string' } },
        required: ['amount'],
      },
      profile: { class: executionClass },
      execute: (input) => {
        runs.push(input);
        return 'done';
      },
    });
  const clock = createFakeClock({ now: 1_000 });
  const open = (version = 1, open: { readonly principal?: string } = {}) =>
    createGate({
      tools: (['unclassified', 'read', 'write', 'external'] as const).map((word) => make(word, version)),
      scope: createScope(scope),
      clock,
      ...config,
    }).open({ context: 'who', sessionId: 's', ...open });
  return { runs, clock, open };
}

const write = (text = '{"amount":5}', id = 'c1') => ({ id, name: 'do_write', arguments: text });
const text = (outcome: Outcome): string => (outcome.kind === 'suspended' ? '' : outcome.output.text());

function suspended(outcome: Outcome): ApprovalRequest {
  if (outcome.kind !== 'suspended') throw new Error(`${outcome.reason} instead of a suspension`);
  return outcome.approval;
}

describe('an approver', () => {
  test('is asked for classes at the threshold and above, about exactly this call', async () => {
    const requests: ApprovalRequest[] = [];
    const { open, runs } = approving({
      approvalThreshold: 'write',
      approvalLifetimeMs: 500,
      approve: (request, { context, definition }) => {
        requests.push(request);
        return context === 'who' && definition.name === request.tool ? 'allow' : 'decline';
      },
    });
    const session = await open(1, { principal: 'ana' });
    for (const name of ['do_unclassified', 'do_read', 'do_write', 'do_external']) {
      expect((await session.execute({ id: name, name, arguments: '{"amount":5}' })).reason).toBe('completed');
    }
    expect(runs.length).toBe(4);
    expect(requests.map(({ tool }) => tool)).toEqual(['do_write', 'do_external']);
    expect(requests[0]).toMatchObject({
      callId: 'do_write',
      class: 'write',
      arguments: { amount: 5 },
      principal: 'ana',
      requestedAt: 1_000,
      expiresAt: 1_500,
    });
    expect(requests[0]?.id).not.toBe(requests[1]?.id);
    await session.close();
  });

  test('that declines is told to the model with its reason, cleaned', async () => {
    const { open, runs } = approving({ approve: () => ({ decision: 'decline', reason: 'Too\u0000 much.' }) });
    const session = await open();
    const outcome = await session.execute(write());
    expect([outcome.kind, outcome.reason, text(outcome)]).toEqual([
      'rejected',
      'approval_declined',
      'The call was declined. Do not repeat it. Reason: Too much.',
    ]);
    expect(runs).toEqual([]);
    await session.close();
  });

  test('is not asked again about a call that was declined, however it is written', async () => {
    let asked = 0;
    const { open } = approving({
      approve: () => {
        asked += 1;
        return 'decline';
      },
    });
    const session = await open();
    await session.execute(write('{"amount":5,"note":"x"}', 'c1'));
    expect((await session.execute(write(' { "note": "x", "amount": 5e0 } ', 'c2'))).reason).toBe(
      'approval_declined',
    );
    expect(asked).toBe(1);
    await session.execute(write('{"amount":6}', 'c3'));
    expect(asked).toBe(2);
    await session.close();
  });

  const broken = new Error('the chat bot is down');
  test.each<[string, Approver]>([
    [
      'throws',
      () => {
        throw broken;
      },
    ],
    ['rejects', () => Promise.reject(broken)],
    ['answers true', () => true as unknown as ApprovalDecision],
    ['answers nothing', () => undefined as unknown as ApprovalDecision],
    ['answers "yes"', () => 'yes' as unknown as ApprovalDecision],
    ['answers a misspelt edit', () => ({ decision: 'allow', argument: { amount: 1 } }) as ApprovalDecision],
    [
      'answers with a throwing then',
      () =>
        ({
          get then() {
            throw broken;
          },
        }) as unknown as ApprovalDecision,
    ],
    [
      'answers with arguments that have no JSON form',
      () => ({ decision: 'allow', arguments: { amount: Number.NaN } }),
    ],
  ])('that %s could not decide: nothing runs, and the run ends', async (_name, approve) => {
    const { open, runs } = approving({ approve });
    const session = await open();
    await expect(session.execute(write())).rejects.toThrow(
      expect.objectContaining({
        code: 'gate/approval',
        callId: 'c1',
        message: expect.not.stringContaining('bot'),
      }),
    );
    expect(runs).toEqual([]);
    await session.close();
  });

  test('cannot change what runs through the request', async () => {
    const { open, runs } = approving({
      approve: (request) => {
        expect(() => Reflect.set(request.arguments, 'amount', 99)).not.toThrow();
        return 'allow';
      },
    });
    const session = await open();
    await session.execute(write());
    expect(runs).toEqual([{ amount: 5 }]);
    await session.close();
  });

  test('does not use up the time of the tool, and expires by itself', async () => {
    const { open, clock, runs } = approving({
      approvalLifetimeMs: 5_000_000,
      approve: (request) =>
        request.callId === 'late'
          ? new Promise(() => {})
          : new Promise((resolve) => {
              clock.setTimer(() => resolve('allow'), 3_000_000);
            }),
    });
    const session = await open();
    const outcomes = [session.execute(write()), session.execute(write('{"amount":6}', 'late'))];
    await clock.advance(3_000_000);
    expect((await outcomes[0])?.reason).toBe('completed');
    await clock.advance(2_000_000);
    expect(await outcomes[1]).toMatchObject({ kind: 'rejected', reason: 'approval_expired' });
    expect(runs).toEqual([{ amount: 5 }]);
    await session.close();
  });

  test('has its question withdrawn when it expires, and when the run is cancelled', async () => {
    const reasons: unknown[] = [];
    const { open, clock } = approving({
      approvalLifetimeMs: 100,
      approve: (_request, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            reject(signal.reason);
          });
        }),
    });
    const session = await open();
    const first = session.execute(write());
    await clock.advance(100);
    expect((await first).reason).toBe('approval_expired');
    const second = session.execute(write());
    await session.close();
    expect((await second).reason).toBe('not_started');
    expect(reasons).toMatchObject([{ name: 'TimeoutError' }, { name: 'AbortError' }]);
  });

  test('that answers after the session closed starts nothing', async () => {
    let answer = (_decision: ApprovalDecision): void => {};
    const { open, runs } = approving({
      approve: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const session = await open();
    const outcome = session.execute(write());
    const report = session.close();
    answer('allow');
    expect((await outcome).reason).toBe('not_started');
    expect((await report).stragglers).toEqual([]);
    expect(runs).toEqual([]);
  });
});

describe('several approvers', () => {
  const layered = async (first: Approver, second: Approver, call = write()) => {
    const runs: unknown[] = [];
    const gate = createGate({
      tools: [
        defineTool({
          name: 'do_write',
          description: '',
          input: { type: 'object', properties: { amount: { type: 'integer' } } },
          profile: { class: 'write' },
          execute: (input) => {
            runs.push(input);
            return 'done';
          },
        }),
      ],
      scope: createScope({ approve: first }).narrow({ approve: second }),
    });
    const session = await gate.open();
    try {
      return { outcome: await session.execute(call), runs };
    } finally {
      await session.close();
    }
  };

  test.each<[ApprovalDecision, ApprovalDecision, string]>([
    ['allow', 'allow', 'completed'],
    ['allow', 'decline', 'approval_declined'],
    ['decline', 'allow', 'approval_declined'],
    ['defer', 'allow', 'approval_pending'],
    ['allow', 'defer', 'approval_pending'],
    ['defer', 'decline', 'approval_declined'],
  ])('that say %s and %s come to %s', async (first, second, reason) => {
    const { outcome, runs } = await layered(
      () => first,
      () => second,
    );
    expect(outcome.reason).toBe(reason);
    expect(runs.length).toBe(reason === 'completed' ? 1 : 0);
  });

  test('are all asked about what one of them edited', async () => {
    const seen: unknown[] = [];
    const { outcome, runs } = await layered(
      (request) => {
        seen.push(request.arguments);
        return 'allow';
      },
      (request) => ({ decision: 'allow', arguments: { amount: Number(request.arguments['amount']) + 1 } }),
    );
    expect(outcome).toMatchObject({ reason: 'completed', edited: true });
    expect(seen).toEqual([{ amount: 5 }, { amount: 6 }]);
    expect(runs).toEqual([{ amount: 6 }]);
  });

  test('that keep editing each other decide nothing', async () => {
    const edit: Approver = (request) => ({
      decision: 'allow',
      arguments: { amount: Number(request.arguments['amount']) + 1 },
    });
    const other: Approver = (request, call) => edit(request, call);
    await expect(layered(edit, other)).rejects.toThrow(expect.objectContaining({ code: 'gate/approval' }));
  });
});

describe('edited arguments', () => {
  test('are admitted by the contract and reported on the outcome', async () => {
    const { open, runs } = approving({ approve: () => ({ decision: 'allow', arguments: { amount: 7 } }) });
    const session = await open();
    expect(await session.execute(write())).toMatchObject({ reason: 'completed', edited: true });
    expect(runs).toEqual([{ amount: 7 }]);
    await session.close();
  });

  test('that the contract refuses do not run', async () => {
    const { open, runs } = approving({ approve: () => ({ decision: 'allow', arguments: { amount: 700 } }) });
    const session = await open();
    expect(await session.execute(write())).toMatchObject({
      kind: 'invalid',
      reason: 'arguments_rejected',
      edited: true,
    });
    expect(runs).toEqual([]);
    await session.close();
  });
});

describe('a deferred call', () => {
  const defer: ScopeOptions = {
    approvalThreshold: 'write',
    approve: () => 'defer',
    approvalLifetimeMs: 1_000,
  };

  test('is suspended without running, while its siblings run', async () => {
    const { open, runs } = approving(defer);
    const session = await open();
    const outcomes = await session.executeAll([
      write(),
      { id: 'c2', name: 'do_read', arguments: '{"amount":1}' },
      write('{"amount":6}', 'c3'),
    ]);
    expect(outcomes.map(({ reason }) => reason)).toEqual([
      'approval_pending',
      'completed',
      'approval_pending',
    ]);
    expect(runs).toEqual([{ amount: 1 }]);
    await session.close();
  });

  test('runs once with a grant, in a later session too, and only once', async () => {
    const { open, runs } = approving(defer);
    const first = await open();
    const request = suspended(await first.execute(write()));
    await first.close();
    const session = await open();
    const grant = createGrant(JSON.parse(JSON.stringify(request)) as ApprovalRequest);
    expect((await session.execute(write(), { grant })).reason).toBe('completed');
    expect((await session.execute(write(), { grant })).reason).toBe('approval_expired');
    expect((await session.execute(write(), { grant: createGrant(request) })).reason).toBe('approval_expired');
    expect(runs).toEqual([{ amount: 5 }]);
    await session.close();
  });

  test('is written differently but means the same call', async () => {
    const { open, runs } = approving(defer);
    const session = await open();
    const request = suspended(await session.execute(write()));
    const outcome = await session.execute(write(' {"amount" : 5.0}'), { grant: createGrant(request) });
    expect([outcome.reason, runs]).toEqual(['completed', [{ amount: 5 }]]);
    await session.close();
  });

  test.each<
    [
      string,
      {
        readonly call?: ReturnType<typeof write>;
        readonly version?: number;
        readonly principal?: string;
        readonly after?: number;
      },
      string,
    ]
  >([
    [
      'other arguments',
      { call: write('{"amount":6}') },
      'The approval was not given for this call. The call was not run.',
    ],
    [
      'another call id',
      { call: write('{"amount":5}', 'c2') },
      'The approval was not given for this call. The call was not run.',
    ],
    [
      'another tool',
      { call: { ...write(), name: 'do_external' } },
      'The approval was not given for this call. The call was not run.',
    ],
    [
      'a changed contract',
      { version: 2 },
      'The tool has changed since the call was approved. The call was not run.',
    ],
    [
      'another principal',
      { principal: 'ben' },
      'The approval was not given for this call. The call was not run.',
    ],
    ['a decision that comes too late', { after: 1_000 }, 'Approval was not given in time.'],
  ])('does not run with %s', async (_name, { call = write(), version = 1, principal, after = 999 }, told) => {
    const { open, clock, runs } = approving(defer);
    const first = await open();
    const grant = createGrant(suspended(await first.execute(write())));
    await first.close();
    await clock.advance(after);
    const session = await open(version, principal === undefined ? {} : { principal });
    const outcome = await session.execute(call, { grant });
    expect([outcome.reason, text(outcome)]).toEqual(['approval_expired', told]);
    expect(outcome.cause).toMatchObject({ code: 'policy/grant-void' });
    expect(runs).toEqual([]);
    await session.close();
  });

  test('runs with what the reviewer changed, admitted again', async () => {
    const { open, runs } = approving(defer);
    const session = await open();
    const request = suspended(await session.execute(write()));
    const grant = createGrant(request, { arguments: { amount: 1 } });
    expect(await session.execute(write(), { grant })).toMatchObject({ reason: 'completed', edited: true });
    const other = suspended(await session.execute(write('{"amount":6}', 'c2')));
    const wrong = createGrant(other, { arguments: { amount: 'six' } });
    expect((await session.execute(write('{"amount":6}', 'c2'), { grant: wrong })).reason).toBe(
      'arguments_rejected',
    );
    expect(runs).toEqual([{ amount: 1 }]);
    await session.close();
  });

  test('that is declined never runs, whatever the policy says meanwhile', async () => {
    const { open, runs } = approving({});
    const session = await open();
    const outcome = await session.execute(write(), { decision: { decision: 'decline', reason: 'no' } });
    expect([outcome.reason, text(outcome)]).toEqual([
      'approval_declined',
      'The call was declined. Do not repeat it. Reason: no',
    ]);
    expect((await session.execute(write(), { decision: 'decline' })).reason).toBe('approval_declined');
    expect(runs).toEqual([]);
    await session.close();
  });

  test.each<[string, unknown]>([
    ['a yes without a grant', { decision: 'allow' }],
    ['a decision that is none', { decision: 'no' }],
    ['a grant that is plain data', { grant: { request: {} } }],
    ['an unknown option', { grants: [] }],
    ['null', null],
  ])('is not executed with %s', async (_name, options) => {
    const { open, runs } = approving({});
    const session = await open();
    await expect(session.execute(write(), options as ExecuteOptions)).rejects.toThrow(
      expect.objectContaining({
        code: expect.stringMatching(/^(?:gate\/options|policy\/decision)-invalid$/),
      }),
    );
    expect(runs).toEqual([]);
    await session.close();
  });
});
