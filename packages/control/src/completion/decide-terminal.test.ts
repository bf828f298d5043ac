import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callOf, message } from '../../test-support/calls.ts';
import { decideEarly, decideTerminal, TERMINAL_REASONS, type TerminalInput } from './decide-terminal.ts';
import {
  type AttemptCause,
  type Evidence,
  evidenceOf,
  hasOpenAction,
  MAX_EVIDENCE_ACTIONS,
  MAX_EVIDENCE_TEXT_BYTES,
} from './evidence.ts';
import { fingerprint } from './fingerprint.ts';
import { checkProtocolState, INITIAL_STATE, type ProtocolState } from './protocol-state.ts';
import { readProtocolToken, writeProtocolToken } from './protocol-token.ts';
import { buildRepairText } from './repair-text.ts';

const evidence: Evidence = {
  objective: 'Fix it.',
  recentText: '',
  candidateText: 'I will.',
  actions: [],
  cause: 'stop',
  outputCommitted: true,
  trajectory: true,
};
const input = (change: Partial<TerminalInput> = {}, about: Partial<Evidence> = {}): TerminalInput => ({
  evidence: { ...evidence, ...about },
  state: INITIAL_STATE,
  expected: true,
  explicit: false,
  attempts: 1,
  repairText: () => 'Go on.',
  ...change,
});
const reasonOf = (change: Partial<TerminalInput>, about: Partial<Evidence> = {}): string =>
  decideTerminal(input(change, about)).reason;
const print = fingerprint(evidence, true, false);
const state = (change: Partial<ProtocolState>): ProtocolState => ({
  reprompts: 1,
  lastFingerprint: print,
  consecutiveNoProgress: 0,
  terminal: false,
  ...change,
});
const pending = { kind: 'call', name: 'lookup', status: 'pending' } as const;

describe('the decision at the end of an attempt', () => {
  test('is the same without the texts, where it needs none', () => {
    const causes: readonly AttemptCause[] = [
      'stop',
      'tool-calls',
      'limit',
      'refusal',
      'transport',
      'provider',
    ];
    const statuses = fc.constantFrom('completed' as const, 'pending' as const, 'incomplete' as const);
    let early = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...causes),
        fc.boolean(),
        fc.boolean(),
        fc.array(statuses, { maxLength: 3 }),
        fc.constantFrom('answered', 'open', 'none'),
        fc.constantFrom(INITIAL_STATE, state({ terminal: true }), { ...INITIAL_STATE, reprompts: -1 }),
        (cause, outputCommitted, explicit, actions, history, before) => {
          const called = { kind: 'tool-call', callId: 'h', name: 'lookup', arguments: '{}' } as const;
          const answered = { kind: 'tool-result', callId: 'h', content: [] } as const;
          const call = callOf({
            items: [
              message('user', 'Fix it.'),
              ...(history === 'none' ? [] : [called]),
              ...(history === 'answered' ? [answered as never] : []),
            ],
          });
          const facts = {
            text: 'I will.',
            cause,
            outputCommitted,
            actions: actions.map((status) => ({ ...pending, status })),
          };
          const found = decideEarly({
            cause,
            outputCommitted,
            explicit,
            state: before,
            hasOpenAction: () => hasOpenAction(call, facts),
          });
          const whole = decideTerminal(input({ explicit, state: before, evidence: evidenceOf(call, facts) }));
          if (found === undefined) return;
          early += 1;
          expect(found).toEqual(whole);
        },
      ),
    );
    expect(early).toBeGreaterThan(10);
  });

  test('is to go on where a completion is missing', () => {
    expect(decideTerminal(input())).toEqual({
      kind: 'continue',
      reason: 'missing_completion_signal',
      repairText: 'Go on.',
      state: { reprompts: 1, lastFingerprint: print, consecutiveNoProgress: 0, terminal: false },
    });
  });

  test.each<[string, Partial<TerminalInput>, Partial<Evidence>]>([
    ['invalid_input', {}, { cause: 'because' as 'stop' }],
    ['invalid_input', {}, { objective: 'x'.repeat(MAX_EVIDENCE_TEXT_BYTES + 1) }],
    ['invalid_input', {}, { candidateText: 7 as unknown as string }],
    ['invalid_input', {}, { actions: Array.from({ length: MAX_EVIDENCE_ACTIONS + 1 }, () => pending) }],
    ['invalid_input', {}, { actions: null as unknown as [] }],
    ['invalid_input', {}, { outputCommitted: 'yes' as unknown as boolean }],
    ['invalid_input', {}, { trajectory: undefined as unknown as boolean }],
    ['invalid_input', { attempts: -1 }, {}],
    ['invalid_input', { evidence: null as unknown as Evidence }, {}],
    ['invalid_protocol_state', { state: state({ reprompts: -1 }) }, {}],
    ['authoritative_candidate', { explicit: true }, { cause: 'refusal' }],
    ['authoritative_candidate', {}, { cause: 'content-filter' }],
    ['authoritative_candidate', {}, { cause: 'cancelled' }],
    ['authoritative_candidate', {}, { cause: 'authority-denied' }],
    ['authoritative_candidate', {}, { cause: 'paused' }],
    ['authoritative_candidate', {}, { cause: 'limit' }],
    ['explicit_completion', { explicit: true }, { cause: 'transport', outputCommitted: false }],
    ['pre_output_failure', {}, { cause: 'transport', outputCommitted: false }],
    ['pre_output_failure', {}, { cause: 'provider', outputCommitted: false, actions: [pending] }],
    ['pre_output_failure', {}, { cause: 'limit', outputCommitted: false }],
    ['unsafe_action_state', {}, { actions: [pending], trajectory: false }],
    ['unsafe_action_state', {}, { actions: [{ ...pending, status: 'incomplete' }] }],
    ['missing_trajectory', {}, { trajectory: false, objective: '' }],
    ['missing_objective', { expected: false }, { objective: '' }],
    ['completion_protocol_inactive', { expected: false, state: state({ terminal: true }) }, {}],
    ['protocol_terminal', { state: state({ terminal: true, consecutiveNoProgress: 9 }) }, {}],
    ['no_progress', { state: state({ consecutiveNoProgress: 1 }) }, {}],
    ['budget_exhausted', { state: state({}) }, {}],
    ['budget_exhausted', { policy: { maxAttempts: 1 } }, {}],
    ['budget_exhausted', { policy: { maxReprompts: 3, maxAttempts: 2 }, attempts: 2 }, {}],
    ['intent_build_failed', { repairText: () => undefined }, {}],
    ['missing_completion_signal', {}, { cause: 'transport' }],
    ['missing_completion_signal', {}, { cause: 'unknown', outputCommitted: false }],
    ['missing_completion_signal', {}, { actions: [{ ...pending, status: 'completed' }] }],
    [
      'missing_completion_signal',
      { policy: { maxReprompts: 2 }, state: state({}) },
      { candidateText: 'More.' },
    ],
    ['missing_completion_signal', { policy: { maxAttempts: 2 } }, {}],
  ])('is %s: %#', (reason, change, about) => {
    expect(reasonOf(change, about)).toBe(reason);
  });

  test('takes the first condition that holds, in the order of the list', () => {
    expect(TERMINAL_REASONS).toHaveLength(14);
    expect(TERMINAL_REASONS.indexOf('no_progress')).toBeLessThan(
      TERMINAL_REASONS.indexOf('budget_exhausted'),
    );
    expect(reasonOf({ state: state({ consecutiveNoProgress: 1 }), attempts: 9 })).toBe('no_progress');
  });

  test('counts an attempt that looks like the last one, and starts again at one that does not', () => {
    const policy = { maxReprompts: 3, noProgressLimit: 3 };
    const same = decideTerminal(input({ state: state({ consecutiveNoProgress: 1 }), policy }));
    expect(same.state).toMatchObject({ reprompts: 2, consecutiveNoProgress: 2 });
    const other = decideTerminal(
      input({ state: state({ consecutiveNoProgress: 1 }), policy }, { candidateText: 'Something new.' }),
    );
    expect(other.state).toMatchObject({ reprompts: 2, consecutiveNoProgress: 0 });
  });

  test('uses no budget where the repair cannot be said', () => {
    const before = state({ reprompts: 0 });
    expect(decideTerminal(input({ state: before, repairText: () => undefined })).state).toBe(before);
  });

  test('ends the trajectory only where it is over', () => {
    const ends = (change: Partial<TerminalInput>, about: Partial<Evidence> = {}): boolean =>
      decideTerminal(input(change, about)).state.terminal;
    expect(ends({ explicit: true })).toBe(true);
    expect(ends({ state: state({}) })).toBe(true);
    expect(ends({}, { cause: 'refusal' })).toBe(true);
    expect(ends({}, { actions: [pending] })).toBe(false);
    expect(ends({}, { cause: 'transport', outputCommitted: false })).toBe(false);
  });

  test.each([
    { maxReprompts: 0 },
    { maxReprompts: 4 },
    { noProgressLimit: 0 },
    { noProgressLimit: 65 },
    { maxAttempts: -1 },
    { maxAttempts: 1.5 },
  ])('is not made by the policy %j', (policy) => {
    expect(() => decideTerminal(input({ policy }))).toThrow(
      expect.objectContaining({ code: 'control/options-invalid' }),
    );
  });

  test('asks for the text of the repair only where one is due', () => {
    const repairText = (): string => {
      throw new Error('nobody asked');
    };
    expect(reasonOf({ explicit: true, repairText })).toBe('explicit_completion');
    expect(reasonOf({ state: state({}), repairText })).toBe('budget_exhausted');
  });
});

describe('a fingerprint', () => {
  test('is that of the content: line ends and white space around it do not count', () => {
    const other = { ...evidence, candidateText: ' I will.\r\n', objective: 'Fix it.\n' };
    expect(fingerprint(other, true, false)).toBe(print);
  });

  test.each<[string, Partial<Evidence>, boolean, boolean]>([
    ['cause', { cause: 'unknown' }, true, false],
    ['expectation', {}, false, false],
    ['observation', {}, true, true],
    ['objective', { objective: 'Fix' }, true, false],
    ['answer', { candidateText: 'I' }, true, false],
    ['recent text', { recentText: 'x' }, true, false],
    ['actions', { actions: [pending] }, true, false],
  ])('is another one for another %s', (_, about, expected, observed) => {
    expect(fingerprint({ ...evidence, ...about }, expected, observed)).not.toBe(print);
  });

  test('cannot be met by moving text from one part to the next', () => {
    const [one, two] = ['ab', 'a'].map((objective, at) =>
      fingerprint({ ...evidence, objective, candidateText: at === 0 ? 'c' : 'bc' }, true, false),
    );
    expect(one).not.toBe(two);
  });
});

describe('evidence', () => {
  const facts = { text: '', actions: [], cause: 'stop', outputCommitted: false } as const;

  test('has what the user asked last, what was said before, and open calls first', () => {
    const items = [
      message('user', 'First'),
      message('assistant', 'Working.\r\nStill.'),
      { kind: 'tool-call', callId: 'a', name: 'lookup', arguments: '{}' },
      { kind: 'tool-result', callId: 'a', parts: [] },
      { kind: 'tool-call', callId: 'b', name: 'store', arguments: '{}' },
      message('user', 'Last'),
      message('user', '  '),
    ] as const;
    const known = evidenceOf(callOf({ items }), { ...facts, actions: [pending] });
    expect(known.objective).toBe('Last');
    expect(known.recentText).toBe('Working.\nStill.');
    expect(known.actions.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'store pending',
      'lookup pending',
      'lookup completed',
    ]);
  });

  test('of nothing is nothing', () => {
    expect(evidenceOf(callOf({ items: [] }), facts)).toMatchObject({ objective: '', trajectory: false });
    const picture = { kind: 'image', source: { kind: 'url', url: 'https://x.test/' } } as const;
    const items = [{ kind: 'message', role: 'user', parts: [picture] }] as const;
    expect(evidenceOf(callOf({ items }), facts).objective).toBe('');
  });

  test('is bounded, and cut between characters', () => {
    const text = '\u{1F600}'.repeat(10_000);
    const { objective, actions } = evidenceOf(callOf({ items: [message('user', `x${text}`)] }), {
      ...facts,
      actions: Array.from({ length: 500 }, () => pending),
    });
    expect(new TextEncoder().encode(objective).length).toBeLessThanOrEqual(MAX_EVIDENCE_TEXT_BYTES);
    expect(objective.isWellFormed()).toBe(true);
    expect(actions).toHaveLength(MAX_EVIDENCE_ACTIONS);
  });
});

describe('a token', () => {
  const states = fc.record({
    reprompts: fc.nat({ max: 255 }),
    consecutiveNoProgress: fc.nat({ max: 255 }),
    terminal: fc.boolean(),
    lastFingerprint: fc.constant(print),
  });

  test('carries a state outside and back, in under 100 characters', () => {
    fc.assert(
      fc.property(states, (given) => {
        const token = writeProtocolToken(given);
        expect(readProtocolToken(token)).toEqual(given);
        expect(token.length).toBeLessThan(100);
      }),
    );
    expect(readProtocolToken(writeProtocolToken(INITIAL_STATE))).toEqual(INITIAL_STATE);
  });

  test('85 that is damaged or foreign is an error, and never a fresh start', () => {
    const token = writeProtocolToken(state({}));
    const damaged = expect.objectContaining({ code: 'control/token-invalid' });
    for (let at = 0; at < token.length; at += 1) {
      for (const other of ['A', 'z', '-', '=', ' ']) {
        if (token[at] === other) continue;
        const wrong = token.slice(0, at) + other + token.slice(at + 1);
        expect(() => readProtocolToken(wrong)).toThrow(damaged);
      }
    }
    for (const wrong of [
      '',
      'tgc1.',
      'tgc2.AAAA',
      token.slice(0, -1),
      `${token}A`,
      `${token}=`,
      `${token}\n`,
    ]) {
      expect(() => readProtocolToken(wrong)).toThrow(damaged);
    }
    expect(() => readProtocolToken(undefined as unknown as string)).toThrow(damaged);
    expect(() => readProtocolToken(`tgc1.${'A'.repeat(100_000)}`)).toThrow(damaged);
  });

  test.each([
    { reprompts: 1, lastFingerprint: '' as const },
    { consecutiveNoProgress: 1, reprompts: 0, lastFingerprint: '' as const },
    { reprompts: 256 },
    { reprompts: 0.5 },
    { terminal: 1 as unknown as boolean },
    { lastFingerprint: 'sha256:x' as const },
    { lastFingerprint: 7 as unknown as '' },
  ])('is not made of the state %j', (wrong) => {
    const damaged = expect.objectContaining({ code: 'control/token-invalid' });
    expect(() => writeProtocolToken(state(wrong))).toThrow(damaged);
    expect(() => checkProtocolState(state(wrong))).toThrow(damaged);
    expect(() => checkProtocolState(null)).toThrow(damaged);
  });
});

describe('the text of a repair', () => {
  const config = { toolName: 'finish', objective: 'Fix it.' };

  test('says where it comes from, what to do, and what the task was', () => {
    const text = buildRepairText(config) ?? '';
    expect(text).toContain('does not come from the user');
    expect(text).toContain('call finish now');
    expect(text.endsWith('\nFix it.')).toBe(true);
    expect(text).not.toContain('not accepted');
  });

  test('says why the last call did not count', () => {
    expect(buildRepairText({ ...config, refusal: 'verification_failed' })).toContain(
      'finish was not accepted: verification_failed.',
    );
  });

  test('cuts the task between characters, and never what is fixed', () => {
    const whole = buildRepairText({ ...config, objective: '\u{1F600}'.repeat(5_000) }) ?? '';
    expect(new TextEncoder().encode(whole).length).toBeLessThanOrEqual(4_096);
    expect(whole.isWellFormed()).toBe(true);
    expect(buildRepairText({ ...config, maxBytes: 100 })).toBeUndefined();
  });

  test('is not made without a task', () => {
    expect(buildRepairText({ ...config, objective: ' \n' })).toBeUndefined();
  });
});
