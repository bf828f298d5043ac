import { completionTool, createProviderSlot, validateProvider } from '@toolgate/control';
import { codecOf, guardHistory, type ModelCall, type ModelEvent, PROTOCOLS } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { ASKED, askControlled, CONTROL, completing, looking, PAIRS, type Seen } from './ask-controlled.ts';
import type { StreamedAnswer } from './wire-streams.ts';

const textOf = ({ response }: Seen): string =>
  response.items
    .flatMap((item) => (item.kind === 'message' ? item.parts : []))
    .flatMap((part) => (part.kind === 'text' ? [part.text] : []))
    .join('');
const PROMISE: StreamedAnswer = { text: 'I will call the search tool now.', end: 'normal' };
const providerWith = (handle: ReturnType<typeof completionTool>['handle']) =>
  validateProvider({ ...completionTool(), handle });

describe.each(PAIRS)('a client of %s and a backend of %s', (client, backend) => {
  test('see the tool on one side and its result on the other, in the form that was asked for', async () => {
    const seen = await askControlled(
      [client, backend],
      [{ calls: [completing('All done.')], end: 'normal' }],
    );
    expect(seen.requests).toHaveLength(1);
    expect(seen.requests[0]).toContain(CONTROL);
    for (const shown of [seen.stream, seen.whole]) {
      expect(shown).toContain('All done.');
      expect(shown).not.toContain(CONTROL);
    }
    const decoder = codecOf(client).decodeStream();
    const events = [...decoder.push(new TextEncoder().encode(seen.stream)), ...decoder.end()];
    expect(events.at(-1)).toMatchObject({ kind: 'response-end', finish: 'stop' });
    expect(seen.response.finish).toBe('stop');
  });

  test.each([
    ['behind it', [completing('Done.'), looking('call_1')]],
    ['before it', [looking('call_1'), completing('Done.')]],
  ])(
    'in a turn with a call of another tool %s the other call wins and nothing is published',
    async (_, calls) => {
      const seen = await askControlled([client, backend], [{ text: 'Hm.', calls, end: 'normal' }]);
      expect(seen.requests).toHaveLength(1);
      expect(seen.response.finish).toBe('tool-calls');
      expect(seen.response.items.filter(({ kind }) => kind === 'tool-call')).toMatchObject([
        { name: 'lookup' },
      ]);
      expect(textOf(seen)).toBe('Hm.');
      expect(seen.stream).not.toContain(CONTROL);
      expect(seen.records).toMatchObject([
        { reason: 'ordinary_calls_pending', decisionReason: 'unsafe_action_state' },
      ]);
    },
  );
});

describe.each(PROTOCOLS)('on the wire of %s', (protocol) => {
  const ask = (answers: readonly StreamedAnswer[], change: Parameters<typeof askControlled>[2] = {}) =>
    askControlled([protocol, protocol], answers, change);

  test('a valid completion ends the run at once', async () => {
    const { requests, records } = await ask([
      { calls: [completing('Done.')], end: 'normal' },
      { text: '', end: 'normal' },
    ]);
    expect(requests).toHaveLength(1);
    expect(records.map(({ decision }) => decision)).toEqual(['allow_stop']);
  });

  test('a completion with open work is refused with a reason, the model goes on with it, and attempts are bounded', async () => {
    let asked = 0;
    const provider = providerWith(() => {
      asked += 1;
      return { kind: 'invalid', reasonCode: 'checklist_open' };
    });
    const answers = Array.from({ length: 9 }, (_, at) => ({
      calls: [completing(`done ${at}`)],
      end: 'normal' as const,
    }));
    const seen = await ask(answers, { provider, policy: { maxReprompts: 3, noProgressLimit: 64 } });
    expect([asked, seen.requests.length]).toEqual([4, 4]);
    expect(seen.requests[1]).toContain('not accepted: checklist_open.');
    expect(textOf(seen)).toBe('');
    expect(seen.stream).not.toContain('done 0');
  });

  test('an answer without the control call is no completion, whatever it says', async () => {
    const done: StreamedAnswer = { text: 'DONE', end: 'normal' };
    const { records } = await ask([done, done]);
    expect(records.map(({ observation }) => observation)).toEqual(['absent', 'absent']);
    expect(records.some(({ decisionReason }) => decisionReason === 'explicit_completion')).toBe(false);
  });

  test('a completion without any work before it can be refused by its provenance', async () => {
    const check = (_: string, meta: { readonly ordinaryCalls?: number }): boolean | string =>
      (meta.ordinaryCalls ?? 0) > 0 || 'no_work_done';
    const provider = createProviderSlot([completionTool({ check })]).current;
    const answer: StreamedAnswer = { calls: [completing('DONE')], end: 'normal' };
    const hollow = await ask([answer, { text: 'Right.', end: 'normal' }], { provider });
    expect(hollow.requests[1]).toContain('not accepted: no_work_done.');
    const call: ModelCall = {
      ...ASKED,
      items: [
        ...ASKED.items,
        { kind: 'tool-call', callId: 'call_1', name: 'lookup', arguments: '{}' },
        { kind: 'tool-result', callId: 'call_1', name: 'lookup', parts: [{ kind: 'text', text: '42' }] },
      ],
    };
    expect(textOf(await ask([answer], { provider, call }))).toBe('DONE');
  });

  test('a promise is followed up where it is made, and the client sees neither tool nor notice', async () => {
    const seen = await ask([PROMISE, { calls: [completing('Found it.')], end: 'normal' }]);
    expect(textOf(seen)).toBe('I will call the search tool now.\n\nFound it.');
    expect(seen.stream).not.toMatch(/attempt_completion|notice/);
  });

  test('a client that limits its tools gets nothing added, and the reason is told', async () => {
    const toolChoice = { mode: 'named', name: 'lookup' } as const;
    const reasons: unknown[] = [];
    const untouched = (async function* (): AsyncGenerator<ModelEvent> {
      yield { kind: 'response-error', code: 'x', message: 'y' };
    })();
    const seen = await ask([], {
      call: { ...ASKED, toolChoice },
      open: (given, { projection }) => {
        reasons.push(projection?.reason, given.tools?.map(({ name }) => name).join());
        return untouched;
      },
    });
    expect(reasons).toEqual(['tool_choice_required', 'lookup']);
    expect(seen.events).toEqual([{ kind: 'response-error', code: 'x', message: 'y' }]);
  });

  test('an eligible client gets one tool more, behind its own, which stay as they are', async () => {
    const { calls } = await ask([{ calls: [completing('x')], end: 'normal' }]);
    expect(calls[0]?.tools?.map(({ name }) => name)).toEqual(['lookup', CONTROL]);
    expect(calls[0]?.tools?.[0]).toMatchObject(ASKED.tools?.[0] ?? {});
  });

  test('a terminating call leaves a history that every provider takes', async () => {
    const mixed = await ask([
      { calls: [looking('call_1'), completing('Done.'), looking('call_2')], end: 'normal' },
    ]);
    const results = ['call_1', 'call_2'].map((callId) => ({
      kind: 'tool-result' as const,
      callId,
      name: 'lookup',
      parts: [{ kind: 'text' as const, text: '42' }],
    }));
    const ids = mixed.response.items.flatMap((item) => (item.kind === 'tool-call' ? [item.callId] : []));
    const call: ModelCall = {
      ...ASKED,
      items: [
        ...ASKED.items,
        ...mixed.response.items,
        ...results.map((result, at) => ({ ...result, callId: ids[at] ?? result.callId })),
      ],
    };
    const last = await ask([PROMISE, { calls: [completing('It is 42.')], end: 'normal' }], { call });
    expect(textOf(last)).toContain('It is 42.');
    for (const each of last.calls) {
      const guarded = guardHistory(each.items, { protocol });
      expect(guarded.losses.filter(({ severity }) => severity !== 'info')).toEqual([]);
      const answered = each.items.flatMap((item) => (item.kind === 'tool-result' ? [item.callId] : []));
      expect(each.items.flatMap((item) => (item.kind === 'tool-call' ? [item.callId] : []))).toEqual(
        answered,
      );
      expect(answered).toHaveLength(2);
      expect(each.items.some((item) => item.kind === 'tool-call' && item.name === CONTROL)).toBe(false);
    }
  });

  test('text before the control call goes out before the turn is judged, its arguments never do', async () => {
    const events: ModelEvent[] = [];
    const before: unknown[] = [];
    const provider = providerWith(() => {
      before.push(...events.map(({ kind }) => kind));
      return { kind: 'complete', reasonCode: 'ok', resultText: 'unused' };
    });
    const answer: StreamedAnswer = { text: 'Almost.', calls: [completing('secret result')], end: 'normal' };
    const seen = await askControlled([protocol, protocol], [answer], { provider }, events);
    expect(before).toContain('text-delta');
    expect(before).not.toContain('response-end');
    expect(events.filter(({ kind }) => kind.startsWith('call-'))).toEqual([]);
    expect(seen.stream).toContain('Almost.');
    expect(seen.stream).not.toContain('secret result');
  });
});

test('the counts of hidden attempts are added up, and marked so', async () => {
  const counts: ModelEvent = {
    kind: 'usage',
    usage: { inputTotal: 3, cacheRead: 0, cacheWrite: null, outputTotal: 2, reasoning: null },
  };
  const seen = await askControlled(['openai-chat', 'openai-chat'], [], {
    async *open() {
      yield { kind: 'response-start', id: 'r', model: 'm' };
      yield counts;
      yield { kind: 'response-end', finish: 'stop' };
    },
  });
  expect(seen.response.usage).toEqual({
    inputTotal: 6,
    cacheRead: 0,
    cacheWrite: null,
    outputTotal: 4,
    reasoning: null,
  });
  expect(seen.events.filter(({ kind }) => kind === 'warning')).toMatchObject([{ code: 'usage_summed' }]);
  expect(seen.stream).toContain('"total_tokens":10');
});
