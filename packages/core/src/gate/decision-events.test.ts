import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../testing/src/clock/fake-clock.ts';
import type { ApprovalDecision, ApprovalRequest } from '../policy/approval.ts';
import { createGrant } from '../policy/approval-grant.ts';
import { createScope } from '../policy/scope.ts';
import { defineTool } from '../tool/define-tool.ts';
import { guard } from '../tool/guard.ts';
import { createGate } from './create-gate.ts';
import type { GateEvent } from './gate-event.ts';
import type { GateSession } from './gate-session.ts';

/** What the policies of one tool answer; by default all of them say yes. */
interface Policies {
  readonly deny?: readonly string[];
  readonly available?: () => boolean;
  readonly authorizer?: () => boolean | Promise<boolean>;
  readonly approve?: (request: ApprovalRequest) => ApprovalDecision | Promise<ApprovalDecision>;
}

const never = (): Promise<never> => new Promise(() => {});
const fails = (): never => {
  throw new Error('the directory is gone');
};

const call = (name = 't', id = 'c1') => ({ id, name, arguments: '{}' });

/** The decisions that are told while `run` works on a session of a gate with these policies, without what all of them have. */
async function told(
  { approve = () => 'allow', authorizer = () => true, available, deny = [] }: Policies,
  run: (session: GateSession) => Promise<unknown> = (session) => session.executeAll([call()]),
): Promise<readonly object[]> {
  const clock = createFakeClock({ now: 1_000 });
  const events: GateEvent[] = [];
  const tool = defineTool({
    name: 't',
    description: '',
    input: { type: 'object' },
    ...(available === undefined ? {} : { available }),
    execute: () => 'done',
  });
  const gate = createGate({
    tools: [guard({ tool, authorizer })],
    scope: createScope({ deny, approve, approvalLifetimeMs: 500 }),
    limits: { policyTimeoutMs: 200 },
    clock,
    ids: () => 'id',
    observe: (event) => events.push(event),
  });
  const session = await gate.open({ context: undefined });
  const running = run(session).catch(() => undefined);
  // Whoever answers at once has answered by then, however many calls there are.
  for (let turn = 0; turn < 20; turn += 1) await clock.advance(0);
  await clock.advance(1_000);
  await running;
  await session.close();
  return events.flatMap((event) => {
    if (event.kind !== 'decision') return [];
    const { kind: _kind, at: _at, callId: _callId, sessionId: _sessionId, tool: _tool, ...said } = event;
    return [said];
  });
}

/** Yes when the session opens, and then what `later` says. */
function thenAvailable(later: () => boolean): () => boolean {
  let asked = 0;
  return () => {
    asked += 1;
    return asked === 1 || later();
  };
}

const authorized = { step: 'authorization', verdict: 'allow' };

describe('observers are told that', () => {
  test.each<[string, Policies, object]>([
    ['a scope denies', { deny: ['t'] }, { step: 'scope', verdict: 'deny', detail: 'scope_denied' }],
    [
      'an availability policy denies when the session opens',
      { available: () => false },
      { step: 'availability', verdict: 'deny', detail: 'availability_denied' },
    ],
    [
      'an availability policy denies at the call',
      { available: thenAvailable(() => false) },
      { step: 'availability', verdict: 'deny', detail: 'availability_denied' },
    ],
    [
      'an availability policy cannot decide',
      { available: thenAvailable(fails) },
      { step: 'availability', verdict: 'error' },
    ],
    ['an authorizer denies', { authorizer: () => false }, { step: 'authorization', verdict: 'deny' }],
    ['an authorizer cannot decide', { authorizer: fails }, { step: 'authorization', verdict: 'error' }],
    [
      'an authorizer never says',
      { authorizer: never },
      { step: 'authorization', verdict: 'error', detail: 'no-answer' },
    ],
  ])('%s, and nothing after it', async (_, policies, decision) => {
    expect(await told(policies)).toEqual([decision]);
  });

  test('no tool has the name of a call', async () => {
    expect(await told({}, (session) => session.execute(call('other')))).toEqual([
      { step: 'scope', verdict: 'deny', detail: 'unknown_name' },
    ]);
  });

  test.each<[string, Policies['approve'] & {}, object]>([
    ['allows', () => 'allow', { verdict: 'allow', approvalId: 'id' }],
    [
      'edits',
      () => ({ decision: 'allow', arguments: { a: 1 } }),
      { verdict: 'allow', approvalId: 'id', edited: true },
    ],
    ['declines', () => 'decline', { verdict: 'deny' }],
    ['defers', () => 'defer', { verdict: 'defer', approvalId: 'id' }],
    ['cannot decide', fails, { verdict: 'error', approvalId: 'id' }],
    ['never says', never, { verdict: 'expire', approvalId: 'id' }],
  ])('an approver %s', async (_, approve, decision) => {
    expect((await told({ approve })).filter((each) => !isAuthorization(each))).toEqual([
      { step: 'approval', ...decision },
    ]);
  });

  test('a call was declined before', async () => {
    const twice = async (session: GateSession): Promise<void> => {
      await session.execute(call('t', 'c1'));
      await session.execute(call('t', 'c2'));
    };
    expect(await told({ approve: () => 'decline' }, twice)).toEqual([
      authorized,
      { step: 'approval', verdict: 'deny' },
      authorized,
      { step: 'approval', verdict: 'deny', detail: 'repeated' },
    ]);
  });

  test('a grant permits once, and is void the next time', async () => {
    const resumed = async (session: GateSession): Promise<void> => {
      const outcome = await session.execute(call());
      if (outcome.kind !== 'suspended') throw new Error(`${outcome.reason} instead of a suspension`);
      await session.execute(call(), { grant: createGrant(outcome.approval) });
      await session.execute(call(), { grant: createGrant(outcome.approval) });
    };
    expect(
      (await told({ approve: () => 'defer' }, resumed)).filter((each) => !isAuthorization(each)),
    ).toEqual([
      { step: 'approval', verdict: 'defer', approvalId: 'id' },
      { step: 'approval', verdict: 'allow', approvalId: 'id' },
      { step: 'approval', verdict: 'expire', approvalId: 'id', detail: 'used' },
    ]);
  });
});

function isAuthorization(decision: object): boolean {
  return 'step' in decision && decision.step === 'authorization';
}
