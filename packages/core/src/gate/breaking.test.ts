import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../testing/src/clock/fake-clock.ts';
import { createScope } from '../policy/scope.ts';
import { defineTool } from '../tool/define-tool.ts';
import { toolOutput } from '../tool/make-output.ts';
import type { Profile } from '../tool/profile.ts';
import type { ToolCall } from '../tool/tool-call.ts';
import { ToolError } from '../tool/tool-error.ts';
import { createGate } from './create-gate.ts';
import type { GateConfig } from './gate-config.ts';
import type { GateSession } from './gate-session.ts';
import type { Outcome } from './outcome.ts';
import { createRedactor, type Redactor } from './redactor.ts';

function gateWith(execute: () => unknown, config: Partial<GateConfig> = {}, profile: Profile = {}) {
  const tool = defineTool({ name: 't', description: '', input: { type: 'object' }, profile, execute });
  return createGate({ tools: [tool], ...config });
}

const call = (id = 'c1', text = '{}'): ToolCall => ({ id, name: 't', arguments: text });

async function outcomeWith(
  execute: () => unknown,
  config: Partial<GateConfig> = {},
  profile: Profile = {},
): Promise<Outcome> {
  const session = await gateWith(execute, config, profile).open();
  const outcome = await session.execute(call());
  await session.close();
  return outcome;
}

function textOf(outcome: Outcome): string {
  if (outcome.kind === 'suspended') throw new Error('suspended');
  return outcome.output.text();
}

/** A promise of the wrong place, which says whether anybody looks after its rejection. */
function lateAnswer(): { readonly then: (resolve: unknown, reject: unknown) => void; watched: boolean } {
  const answer = {
    watched: false,
    then: (_resolve: unknown, reject: unknown) => {
      answer.watched = typeof reject === 'function';
    },
  };
  return answer;
}

describe('an answer that comes later where it has to be there at once is no unhandled rejection', () => {
  test('of a resource key', async () => {
    const answer = lateAnswer();
    const resourceKey = (): string => answer as unknown as string;
    expect((await outcomeWith(() => 'x', {}, { resourceKey })).reason).toBe('handler_error');
    expect(answer.watched).toBe(true);
  });

  test('of a redactor', async () => {
    const answer = lateAnswer();
    const redact = (() => answer) as unknown as Redactor;
    expect((await outcomeWith(() => 'x', { redact })).reason).toBe('output_invalid');
    expect(answer.watched).toBe(true);
  });
});

test('an observer that closes the session at the end of each call closes it once, however many calls wait', async () => {
  const kinds: string[] = [];
  let session: GateSession | undefined;
  const observe: GateConfig['observe'] = ({ kind }) => {
    kinds.push(kind);
    if (kind === 'call-end') void session?.close();
  };
  const scope = createScope({ approve: () => new Promise<never>(() => {}) });
  session = await gateWith(() => 'x', { scope, observe }).open();
  const waiting = Array.from({ length: 2_000 }, (_, index) => session?.execute(call(`c${index}`)));
  const report = await session.close();
  expect(await session.close()).toBe(report);
  expect(new Set((await Promise.all(waiting)).map((outcome) => outcome?.reason))).toEqual(
    new Set(['not_started']),
  );
  expect(kinds.filter((kind) => kind === 'call-end').length).toBe(2_000);
  expect(kinds.filter((kind) => kind === 'session-close').length).toBe(1);
});

describe('closing waits for a result store no longer than the grace period', () => {
  const config: Partial<GateConfig> = {
    graceMs: 20,
    limits: { resultBudget: { bytes: 200, overflow: 'store' }, policyTimeoutMs: 'none' },
  };

  test('when the store hangs before the session is closed', async () => {
    const clock = createFakeClock();
    const resultStore = { put: () => new Promise<string>(() => {}) };
    const session = await gateWith(() => 'x'.repeat(1_000), { ...config, clock, resultStore }).open();
    const outcome = session.execute(call());
    const closed = session.close();
    await clock.advance(20);
    expect((await outcome).reason).toBe('completed_truncated');
    expect((await closed).stragglers).toEqual([]);
  });

  test('when the store itself closes the session', async () => {
    const clock = createFakeClock();
    let session: GateSession | undefined;
    const resultStore = {
      put: () => {
        void session?.close();
        return new Promise<string>(() => {});
      },
    };
    session = await gateWith(() => 'x'.repeat(1_000), { ...config, clock, resultStore }).open();
    const outcome = session.execute(call());
    await clock.advance(20);
    expect((await outcome).reason).toBe('completed_truncated');
    await session.close();
  });
});

test('a repair cannot turn the call into another one', async () => {
  const repair: GateConfig['repair'] = ({ call: given }) => {
    Reflect.set(given, 'name', 'other');
    Reflect.set(given, 'id', 'other');
    return '{}';
  };
  const session = await gateWith(() => 'x', { repair }, { class: 'read' }).open();
  expect(await session.execute(call('c1', '{'))).toMatchObject({
    callId: 'c1',
    name: 't',
    reason: 'completed',
    repairedFrom: '{',
  });
  await session.close();
});

test('a repeated id is told to the model in words', async () => {
  const session = await gateWith(() => 'x').open();
  const [, repeated] = await session.executeAll([call(), call()]);
  if (repeated === undefined) throw new Error('lost');
  expect([repeated.reason, textOf(repeated)]).toEqual([
    'call_id_duplicate',
    'The call id was used before in this turn. The call was not started.',
  ]);
  await session.close();
});

test('a turn that is a revoked proxy, or whose length throws, is refused by code', async () => {
  const { proxy, revoke } = Proxy.revocable<ToolCall[]>([], {});
  revoke();
  const throwing = new Proxy<ToolCall[]>([], {
    get: () => {
      throw new Error('trap');
    },
  });
  const session = await gateWith(() => 'x').open();
  for (const turn of [proxy, throwing]) {
    await expect(session.executeAll(turn)).rejects.toMatchObject({ code: 'gate/options-invalid' });
  }
  await session.close();
});

test('a result of many parts stays near its budget, however many notices the cut would take', async () => {
  const parts = Array.from({ length: 5_000 }, () => ({ kind: 'text' as const, text: 'y'.repeat(1_000) }));
  const outcome = await outcomeWith(() => toolOutput({ parts }), {
    limits: { resultBudget: { bytes: 1_000, overflow: 'truncate' } },
  });
  if (outcome.kind !== 'completed') throw new Error(outcome.reason);
  expect(outcome.output.byteSize).toBeLessThan(2_000);
  expect(outcome.output.text()).toContain('more parts left out');
});

test('cutting texts leaves out no image that fits', async () => {
  const image = { kind: 'image' as const, mediaType: 'image/png', data: 'iVBORw0KGgoA' };
  const text = { kind: 'text' as const, text: 'y'.repeat(1_000) };
  const outcome = await outcomeWith(() => toolOutput({ parts: [text, text, image, image, image] }), {
    limits: { resultBudget: { bytes: 100, overflow: 'truncate' } },
  });
  if (outcome.kind !== 'completed') throw new Error(outcome.reason);
  expect(outcome.output.parts.filter(({ kind }) => kind === 'image').length).toBe(3);
});

describe('redaction', () => {
  const redact = createRedactor({ secrets: ['secret-a', 'secret-b', 'secret-c'] });

  test('loses no member when names become the same text', async () => {
    const value = { 'secret-a': 1, '[redacted] (2)': 2, 'secret-b': 3, 'secret-c': 4 };
    expect(JSON.parse(textOf(await outcomeWith(() => value, { redact })))).toEqual({
      '[redacted]': 1,
      '[redacted] (2)': 2,
      '[redacted] (3)': 3,
      '[redacted] (4)': 4,
    });
  });

  test('covers the parameters of a media type', async () => {
    const mediaType = 'image/png; name=secret-a';
    const parts = [
      { kind: 'image' as const, mediaType, data: 'iVBORw0KGgoA' },
      { kind: 'file' as const, mediaType, data: '' },
      { kind: 'resource-link' as const, uri: 'https://example.org', mediaType },
    ];
    const outcome = await outcomeWith(() => toolOutput({ parts }), { redact });
    expect(JSON.stringify(outcome)).not.toContain('secret-a');
    expect(outcome.reason).toBe('completed');
  });

  test('that fails leaves a fixed text and never an empty one', async () => {
    const failing: Redactor = () => {
      throw new Error('redactor');
    };
    const outcome = await outcomeWith(
      () => {
        throw new ToolError('secret-a');
      },
      { redact: failing },
    );
    expect([outcome.reason, textOf(outcome)]).toEqual(['tool_error', 'What the tool said cannot be shown.']);
  });
});
