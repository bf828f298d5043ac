import { describe, expect, test } from 'vitest';
import type { CompletedCall } from './completed-call.ts';
import type { ControlMeta, ControlOutcome, ControlToolProvider } from './control-tool-provider.ts';
import { validateCompletedCall } from './validate-completed-call.ts';
import { validateMeta } from './validate-meta.ts';
import { validateOutcome } from './validate-outcome.ts';
import { providerIdentity, validateProvider, validateProviderId } from './validate-provider.ts';

const coded = (code: string): unknown => expect.objectContaining({ name: 'ControlError', code });

describe('an outcome', () => {
  const invalid = coded('control/outcome-invalid');

  test('11 that is invalid has no text, and one that is complete has text that is not blank', () => {
    const outcomes: readonly unknown[] = [
      { kind: 'invalid', reasonCode: 'r', resultText: 'text' },
      { kind: 'complete', reasonCode: 'r', resultText: ' \n' },
      { kind: 'complete', reasonCode: 'r' },
    ];
    for (const outcome of outcomes) expect(() => validateOutcome(outcome as ControlOutcome)).toThrow(invalid);
    expect(validateOutcome({ kind: 'invalid', reasonCode: 'r', resultText: '' })).toEqual({
      kind: 'invalid',
      reasonCode: 'r',
    });
  });

  test.each(['a b', 'r'.repeat(65), '', 'grün', 'a/b', 'a\n'])(
    '12 the reason %j is refused',
    (reasonCode) => {
      expect(() => validateOutcome({ kind: 'invalid', reasonCode })).toThrow(invalid);
    },
  );

  test('a reason may have 64 characters', () => {
    const reasonCode = 'aZ0_.-'.padEnd(64, 'x');
    expect(validateOutcome({ kind: 'invalid', reasonCode })).toEqual({ kind: 'invalid', reasonCode });
  });

  test('a result may have 64 KiB and no more, no U+0000, and no half of a pair', () => {
    const complete = (resultText: string): ControlOutcome =>
      validateOutcome({ kind: 'complete', reasonCode: 'r', resultText });
    expect(complete('x'.repeat(65_536))).toHaveProperty('resultText.length', 65_536);
    for (const text of ['x'.repeat(65_537), 'é'.repeat(32_769), 'a\0', '\ud800']) {
      expect(() => complete(text)).toThrow(invalid);
    }
  });

  test.each([null, 'complete', { kind: 'done', reasonCode: 'r' }, { kind: 2, reasonCode: 'r' }, {}])(
    '%j is no outcome',
    (outcome) => {
      expect(() => validateOutcome(outcome as unknown as ControlOutcome)).toThrow(invalid);
    },
  );

  test('one without a kind is invalid, which says the least', () => {
    expect(validateOutcome({ reasonCode: 'r' } as unknown as ControlOutcome).kind).toBe('invalid');
    expect(() => validateOutcome({ reasonCode: 'r', resultText: 'x' } as unknown as ControlOutcome)).toThrow(
      invalid,
    );
  });

  test('is a frozen copy', () => {
    const outcome = { kind: 'complete' as const, reasonCode: 'r', resultText: 'x' };
    const checked = validateOutcome(outcome);
    outcome.resultText = 'y';
    expect(checked).toEqual({ kind: 'complete', reasonCode: 'r', resultText: 'x' });
    expect(Object.isFrozen(checked)).toBe(true);
  });
});

describe('a provider', () => {
  const invalid = coded('control/provider-invalid');
  const good: ControlToolProvider = {
    id: () => 'p',
    spec: () => ({
      tool: { name: 'finish', parameters: { type: 'object' } },
      instruction: { role: 'system', text: 'Call finish.' },
    }),
    handle: () => ({ kind: 'invalid', reasonCode: 'r' }),
  };
  const throws = (): never => {
    throw new Error('secret');
  };

  test('13 whose id throws is invalid, and so is one whose spec throws', () => {
    expect(() => validateProvider({ ...good, id: throws })).toThrow(invalid);
    expect(() => providerIdentity({ ...good, id: throws })).toThrow(invalid);
    expect(() => validateProvider({ ...good, spec: throws })).toThrow(invalid);
    expect(() => validateProvider({ ...good, id: throws })).toThrow(/^(?!.*secret)/);
  });

  test.each([
    ['null', null],
    ['undefined', undefined],
    ['a function', () => good],
    ['an object without members', {}],
    ['one without a handler', { ...good, handle: undefined }],
    ['one whose handler is no function', { ...good, handle: 'x' }],
    ['one with a blank id', { ...good, id: () => ' ' }],
    ['one whose id is no text', { ...good, id: () => 7 }],
    ['one with an id of 129 bytes', { ...good, id: () => 'i'.repeat(129) }],
    ['one with half of a pair in its id', { ...good, id: () => '\ud800' }],
    [
      'a proxy that throws',
      new Proxy(good, {
        get: () => {
          throw new Error('secret');
        },
      }),
    ],
  ])('%s is refused', (_, provider) => {
    expect(() => validateProvider(provider as ControlToolProvider)).toThrow(invalid);
  });

  test('an id may have 128 bytes', () => {
    expect(validateProviderId('i'.repeat(128))).toHaveLength(128);
  });

  test('whose spec is wrong is told so', () => {
    const spec = { ...good.spec(), maxArgsBytes: 0 };
    expect(() => validateProvider({ ...good, spec: () => spec })).toThrow(coded('control/spec-invalid'));
    expect(() => validateProvider({ ...good, spec: () => null as unknown as typeof spec })).toThrow(
      coded('control/spec-invalid'),
    );
  });

  test('is asked for its id and its spec once, and keeps itself as this', async () => {
    const asked: string[] = [];
    const provider = validateProvider({
      id() {
        asked.push('id');
        return 'p';
      },
      spec() {
        asked.push('spec');
        return good.spec();
      },
      handle() {
        return { kind: 'invalid', reasonCode: this.id() };
      },
    });
    expect([provider.id, provider.spec.tool.name]).toEqual(['p', 'finish']);
    expect(asked).toEqual(['id', 'spec']);
    const call = { toolCallId: 'c', toolName: 'finish', argsJson: '{}' };
    const { signal } = new AbortController();
    expect(await provider.handle(call, { attemptSeq: 0 }, { signal })).toEqual({
      kind: 'invalid',
      reasonCode: 'p',
    });
    expect(Object.isFrozen(provider)).toBe(true);
  });
});

describe('provenance', () => {
  const invalid = coded('control/meta-invalid');

  test.each([-1, 0.5, Number.NaN, undefined, '0'])('14 the attempt %s is refused', (attemptSeq) => {
    expect(() => validateMeta({ attemptSeq: attemptSeq as number })).toThrow(invalid);
  });

  test.each([
    ['an id of 257 bytes', { traceId: 'x'.repeat(257) }],
    ['an id that is no text', { aLegId: 7 }],
    ['an id with half of a pair', { bLegId: '\ud800' }],
    ['an id that is null', { candidateKey: null }],
    ['a count below 0', { ordinaryCalls: -1 }],
    ['a view that is a list', { scope: [] }],
    ['a view that is a function', { session: () => ({}) }],
    ['a view that contains itself', { workspace: circular() }],
  ])('with %s is refused', (_, members) => {
    expect(() => validateMeta({ attemptSeq: 0, ...members } as unknown as ControlMeta)).toThrow(invalid);
  });

  test('is a copy: views are read-only, and their originals have no say afterwards', () => {
    const scope = { allow: ['a'] };
    const meta = validateMeta({ attemptSeq: 2, traceId: 'x'.repeat(256), scope });
    scope.allow.push('b');
    expect(meta).toEqual({
      attemptSeq: 2,
      ordinaryCalls: 0,
      traceId: 'x'.repeat(256),
      scope: { allow: ['a'] },
    });
    expect(Object.isFrozen(meta.scope?.['allow'])).toBe(true);
  });

  test('has nothing that was not asked for', () => {
    const meta = { attemptSeq: 0, authority: 'root', ordinaryCalls: 3 };
    expect(validateMeta(meta)).toEqual({ attemptSeq: 0, ordinaryCalls: 3 });
  });
});

function circular(): object {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}

describe('a captured call', () => {
  const invalid = coded('control/call-invalid');
  const good: CompletedCall = { toolCallId: 'c', toolName: 'finish', argsJson: '{}' };

  test('15 may have any name: whose tool it is says the projection', () => {
    const call = { ...good, toolName: 'somebody_elses_tool' };
    expect(validateCompletedCall(call, 10)).toEqual(call);
    expect(Object.isFrozen(validateCompletedCall(call, 10))).toBe(true);
  });

  test.each([
    ['no id', { toolCallId: ' ' }],
    ['an id that is no text', { toolCallId: 7 }],
    ['an id of 257 bytes', { toolCallId: 'c'.repeat(257) }],
    ['a name with white space', { toolName: 'finish ' }],
    ['a name of 257 bytes', { toolName: 'n'.repeat(257) }],
    ['arguments that are no text', { argsJson: {} }],
    ['arguments over the budget', { argsJson: '"123456789"' }],
    ['arguments whose bytes are over the budget', { argsJson: '"éééééé"' }],
  ])('with %s is refused', (_, members) => {
    expect(() => validateCompletedCall({ ...good, ...members } as CompletedCall, 10)).toThrow(invalid);
  });

  test.each([0, -1, 1.5, Number.NaN])('the budget %s is refused', (budget) => {
    expect(() => validateCompletedCall(good, budget)).toThrow(invalid);
  });

  test('may have as many bytes as the budget says, well-formed or not', () => {
    expect(validateCompletedCall({ ...good, argsJson: '{"a":"éé' }, 10).argsJson).toBe('{"a":"éé');
  });
});
