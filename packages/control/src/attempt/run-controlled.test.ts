import { createRedactor } from '@toolgate/core';
import { codecOf, ModelError, type ModelEvent, PROTOCOLS } from '@toolgate/model';
import { createFakeClock } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { callOf, message, TOOLS } from '../../test-support/calls.ts';
import {
  COMPLETION,
  called,
  completed,
  ended,
  leg,
  runLegs as runWith,
  said,
  usage,
} from '../../test-support/legs.ts';
import { pushControlled } from '../../test-support/push-controlled.ts';
import { completionTool } from '../completion/completion-tool.ts';
import { INITIAL_STATE } from '../completion/protocol-state.ts';
import type { ControlToolProvider } from '../provider/control-tool-provider.ts';
import { createProviderSlot } from '../provider/provider-slot.ts';
import { validateProvider } from '../provider/validate-provider.ts';
import type { ControlledRunConfig } from './controlled-run.ts';
import { runControlled } from './run-controlled.ts';

const NAME = 'attempt_completion';
const noticeOf = (call: { readonly items: readonly unknown[] } | undefined): string =>
  JSON.stringify(call?.items.at(-1) ?? '');
const providerWith = (handle: ControlToolProvider['handle']) =>
  validateProvider({ ...completionTool(), handle });
const cut = new ModelError('model/connection-failed', 'cut');

describe.each([
  ['asked for', runControlled],
  ['pushed', pushControlled],
])('where events are %s:', (_shell, run) => {
  const runLegs = (legs: Parameters<typeof runWith>[0], change?: Parameters<typeof runWith>[1]) =>
    runWith(legs, change, run);
  describe('a completion', () => {
    test('68 alone is the text of the answer, once, after one attempt', async () => {
      const { response, opened, events, records } = await runLegs([
        leg('tool-calls', completed(0, ' All done. ')),
      ]);
      expect(opened).toHaveLength(1);
      expect(response.items).toEqual([
        { kind: 'message', role: 'assistant', parts: [{ kind: 'text', text: 'All done.' }] },
      ]);
      expect([response.finish, response.id, response.model]).toEqual(['stop', 'r', 'm']);
      expect(events.filter(({ kind }) => kind === 'response-start' || kind === 'response-end')).toHaveLength(
        2,
      );
      expect(records).toMatchObject([
        {
          providerId: 'toolgate.completion',
          observation: 'valid',
          decision: 'allow_stop',
          decisionReason: 'explicit_completion',
        },
      ]);
    });

    test('68 says nothing of the tool at its end, whatever the provider’s word for it', async () => {
      const legs = [[{ kind: 'response-start', id: 'r', model: 'm' } as const, ...completed(0, 'x')]];
      const [events] = legs;
      const { response } = await runLegs([[...(events ?? []), ended('tool-calls', 'tool_use')]]);
      expect(response).toMatchObject({ finish: 'stop' });
      expect(response.finishDetail).toBeUndefined();
    });

    test('69 behind text is not said twice; one end comes after the last text', async () => {
      const { events, text } = await runLegs([
        leg('tool-calls', said(0, 'It works now.'), completed(1, 'It works.')),
      ]);
      expect(text).toBe('It works now.');
      expect(events.map(({ kind }) => kind)).toEqual([
        'response-start',
        'text-start',
        'text-delta',
        'text-end',
        'response-end',
      ]);
    });

    test('69 of a later attempt is published behind what the first one said, unless that was the same', async () => {
      const promise = leg('stop', said(0, 'I will call the search tool now.'));
      const found = await runLegs([promise, leg('tool-calls', completed(0, 'Found it.'))]);
      expect(found.text).toBe('I will call the search tool now.\n\nFound it.');
      expect(found.response.finish).toBe('stop');
      const marked = await runLegs([
        leg('stop', said(0, 'So: it is 42.\n')),
        leg('tool-calls', completed(0, 'it is 42.')),
      ]);
      expect(marked.text).toBe('So: it is 42.\n');
    });

    test.each<[string, readonly ModelEvent[]]>([
      ['white space', said(0, ' \n') as readonly ModelEvent[]],
      [
        'a thought',
        [
          { kind: 'reasoning-start', index: 0 },
          { kind: 'reasoning-delta', index: 0, text: 'Done?' },
          { kind: 'reasoning-end', index: 0 },
        ],
      ],
    ])('70 behind %s alone is published', async (_, before) => {
      const { response } = await runLegs([leg('tool-calls', before, completed(1, 'Done.'))]);
      expect(JSON.stringify(response.items)).toContain('Done.');
    });

    test('71 beside an open call of another tool is not published, and the call goes through', async () => {
      for (const blocks of [
        [completed(0, 'Done.'), called(1, 'lookup', '{"a":1}')],
        [called(0, 'lookup', '{"a":1}'), completed(1, 'Done.')],
      ]) {
        const { response, opened, text, records } = await runLegs([leg('tool-calls', ...blocks)]);
        expect(opened).toHaveLength(1);
        expect(text).toBe('');
        expect(response.finish).toBe('tool-calls');
        expect(response.items).toMatchObject([{ kind: 'tool-call', name: 'lookup', arguments: '{"a":1}' }]);
        expect(records).toMatchObject([
          { reason: 'ordinary_calls_pending', decisionReason: 'unsafe_action_state', observation: 'invalid' },
        ]);
      }
    });

    test('71 beside a call that the model did not finish ends the answer as it is', async () => {
      const open: readonly ModelEvent[] = [{ kind: 'call-start', index: 0, callId: 'o', name: 'lookup' }];
      const { response, opened } = await runLegs([leg('length', open, completed(1, 'Done.'))]);
      expect(opened).toHaveLength(1);
      expect([response.finish, response.incomplete]).toEqual(['length', ['o']]);
    });

    test('72 is not published after a cancellation, before or during the handler', async () => {
      const controller = new AbortController();
      const provider = providerWith(() => {
        controller.abort();
        return { kind: 'complete', reasonCode: 'r', resultText: 'Done.' };
      });
      const legs = [leg('tool-calls', completed(0, 'Done.'))];
      const during = await runLegs(legs, { provider, signal: controller.signal });
      const before = await runLegs(legs, { signal: AbortSignal.abort() });
      for (const { text, events, records } of [during, before]) {
        expect(text).toBe('');
        expect(events.some(({ kind }) => kind === 'response-end')).toBe(false);
        expect(records).toMatchObject([{ decision: 'dropped', cause: 'cancelled' }]);
      }
    });

    test('72 is not published to a client that went away', async () => {
      const signals: AbortSignal[] = [];
      const provider = providerWith((_, __, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      });
      const config: ControlledRunConfig = {
        call: callOf(),
        provider,
        capabilities: TOOLS,
        signal: new AbortController().signal,
        open: async function* () {
          for (const event of leg('tool-calls', said(0, 'x'), completed(1, 'Done.')))
            yield event as ModelEvent;
        },
      };
      for await (const event of run(config)) if (event.kind === 'text-end') break;
      expect(signals).toEqual([]);
    });

    test('goes through the hook of every text, which may keep it back', async () => {
      const legs = [leg('tool-calls', completed(0, 'Done.'))];
      expect((await runLegs(legs, { stage: (text) => text.toUpperCase() })).text).toBe('DONE.');
      const kept = await runLegs(legs, { stage: () => undefined });
      expect([kept.text, kept.response.finish]).toEqual(['', 'stop']);
      const failed = await runLegs(legs, {
        stage: () => {
          throw new Error('sk-planted-secret');
        },
      });
      expect(failed.response.finish).toBe('error');
      expect(JSON.stringify(failed.events)).not.toMatch(/planted|Done/);
    });

    test('has no secrets', async () => {
      const handler = { redact: createRedactor({ secrets: ['hunter2-hunter2'] }) };
      const { text } = await runLegs([leg('tool-calls', completed(0, 'It is hunter2-hunter2.'))], {
        handler,
      });
      expect(text).toBe('It is [redacted].');
    });

    test('ends the run even when an answer has no start', async () => {
      const { events } = await runLegs([[...completed(0, 'Done.'), ended('tool-calls')]]);
      expect(events.map(({ kind }) => kind)).toEqual([
        'response-start',
        'text-start',
        'text-delta',
        'text-end',
        'response-end',
      ]);
    });
  });

  describe('a handler that fails', () => {
    test('66 ends the answer with a fixed error, and nothing of it is anywhere', async () => {
      const provider = providerWith(() => Promise.reject(new Error('sk-planted-secret')));
      const { events, response, records, opened } = await runLegs(
        [leg('tool-calls', completed(0, 'sk-planted-result'))],
        { provider },
      );
      expect(opened).toHaveLength(1);
      expect(response).toMatchObject({ finish: 'error', finishDetail: 'control_handler_failed', items: [] });
      expect(records).toMatchObject([
        { decision: 'failed', observation: 'handler_error', reason: 'handler_error' },
      ]);
      expect(JSON.stringify([events, records])).not.toContain('planted');
    });

    test('66 by its deadline fails in the same way', async () => {
      const clock = createFakeClock();
      const provider = providerWith(() => new Promise(() => {}));
      const running = runLegs([leg('tool-calls', completed(0, 'x'))], {
        provider,
        handler: { clock, timeoutMs: 500 },
      });
      while (clock.pending === 0) await clock.advance(0);
      await clock.advance(500);
      expect((await running).records).toMatchObject([{ reason: 'handler_timeout', decision: 'failed' }]);
    });
  });

  describe('an answer without a completion', () => {
    test('73 gets exactly one hidden attempt more, and then it ends', async () => {
      const legs = [leg('stop', said(0, 'I will do it.')), leg('stop', said(0, ' Doing it.'))];
      const { opened, text, events, response, records } = await runLegs(legs);
      expect(opened.map(({ attempt }) => [attempt.attemptSeq, attempt.repair])).toEqual([
        [0, false],
        [1, true],
      ]);
      expect(text).toBe('I will do it. Doing it.');
      expect(response.finish).toBe('stop');
      expect(events.filter(({ kind }) => kind === 'response-start')).toHaveLength(1);
      expect(JSON.stringify(events)).not.toMatch(/notice|attempt_completion/);
      expect(records.map(({ decisionReason }) => decisionReason)).toEqual([
        'missing_completion_signal',
        'budget_exhausted',
      ]);
      const [, repair] = opened;
      expect(repair?.call.items.slice(0, -2)).toEqual(callOf().items);
      expect(repair?.call.items.at(-2)).toEqual(message('assistant', 'I will do it.'));
      expect(noticeOf(repair?.call)).toMatch(/does not come from the user.*Go on/s);
      expect(repair?.call.tools?.at(-1)?.name).toBe(NAME);
      expect(repair?.attempt.edits).toBeUndefined();
    });

    test('73 may complete in the second attempt', async () => {
      const { text, opened, records } = await runLegs([
        leg('stop'),
        leg('tool-calls', completed(0, 'Done.')),
      ]);
      expect([text, opened.length]).toEqual(['Done.', 2]);
      expect(records.at(-1)).toMatchObject({
        decisionReason: 'explicit_completion',
        state: { terminal: true },
      });
      expect(opened[1]?.call.items).toHaveLength(callOf().items.length + 1);
    });

    test('74 that is the same again ends after two attempts, whatever is left', async () => {
      const legs = Array.from({ length: 4 }, () => leg('stop', said(0, 'Same.')));
      const { opened, records } = await runLegs(legs, { policy: { maxReprompts: 3, noProgressLimit: 1 } });
      expect(opened).toHaveLength(2);
      expect(records.at(-1)?.decisionReason).toBe('no_progress');
    });

    test('74 that is another one each time uses the whole budget', async () => {
      const legs = ['a', 'b', 'c', 'd', 'e'].map((text) => leg('stop', said(0, text)));
      const { opened } = await runLegs(legs, { policy: { maxReprompts: 3, noProgressLimit: 1 } });
      expect(opened).toHaveLength(4);
    });

    test.each([
      ['no member', '{}'],
      ['a member more', '{"result":"x","more":1}'],
      ['another type', '{"result":1}'],
      ['a blank text', '{"result":" "}'],
      ['something after it', '{"result":"x"} {}'],
      ['a byte too many', JSON.stringify({ result: 'x'.repeat(65_537) })],
    ])(
      '75 whose arguments have %s takes two attempts, and only what the model said goes out',
      async (_, args) => {
        const { opened, text, response } = await runLegs([
          leg('tool-calls', said(0, 'Hm.'), called(1, NAME, args)),
          leg('stop', said(0, ' Well.')),
        ]);
        expect(opened).toHaveLength(2);
        expect(text).toBe('Hm. Well.');
        expect(response.finish).toBe('stop');
        expect(noticeOf(opened[1]?.call)).toContain(`Your last call of ${NAME} was not accepted`);
      },
    );

    test('76 with calls of other tools goes out once; later, with their results, it completes', async () => {
      const first = await runLegs([leg('tool-calls', said(0, 'Looking.'), called(1, 'lookup', '{}', 'o1'))]);
      expect(first.opened).toHaveLength(1);
      expect(first.response.items).toHaveLength(2);
      const call = callOf({
        items: [
          ...callOf().items,
          ...first.response.items,
          { kind: 'tool-result', callId: 'o1', parts: [{ kind: 'text', text: '42' }] },
        ],
      });
      const state = first.records.at(-1)?.state ?? INITIAL_STATE;
      const second = await runLegs([leg('stop'), leg('tool-calls', completed(0, 'It is 42.'))], {
        call,
        state,
      });
      expect(second.opened).toHaveLength(2);
      expect(second.text).toBe('It is 42.');
      expect(
        second.opened.map((each) => each.call.items.filter(({ kind }) => kind === 'tool-result').length),
      ).toEqual([1, 1]);
    });

    test.each(['refusal', 'content-filter', 'paused'] as const)(
      '77 that ends with %s is what it is',
      async (finish) => {
        const { opened, response, records } = await runLegs([
          leg(finish, said(0, 'No.'), completed(1, 'Done.')),
        ]);
        expect(opened).toHaveLength(1);
        expect([response.finish, records[0]?.decisionReason]).toEqual([finish, 'authoritative_candidate']);
      },
    );

    test('78 because nothing came at all is the business of retries: thrown as it is, without a repair', async () => {
      const { thrown, opened, events, records } = await runLegs([[cut]]);
      expect(thrown).toBe(cut);
      expect([opened.length, events, records]).toEqual([1, [], []]);
    });

    test('78 because it failed before its first output ends with that failure, without a repair', async () => {
      const failure = { kind: 'response-error', code: 'model/provider-error', message: 'Fixed.' } as const;
      for (const events of [[failure], [{ kind: 'response-start', id: 'r', model: 'm' } as const, failure]]) {
        const seen = await runLegs([events]);
        expect(seen.opened).toHaveLength(1);
        expect(seen.events.at(-1)).toEqual(failure);
        expect(seen.records[0]?.decisionReason).toBe('pre_output_failure');
      }
    });

    test.each<[string, ModelEvent | Error]>([
      ['thrown', cut],
      ['thrown by somebody else', new Error('sk-planted-secret')],
      ['said', { kind: 'response-error', code: 'model/stream-incomplete', message: 'Cut.' }],
    ])(
      '79 because it broke off after its first output goes on at the same backend: %s',
      async (_, failure) => {
        const half: readonly ModelEvent[] = [
          { kind: 'response-start', id: 'r', model: 'm' },
          { kind: 'text-start', index: 0 },
          { kind: 'text-delta', index: 0, text: 'Half a ' },
        ];
        const { text, opened, response, events } = await runLegs([
          [...half, failure],
          leg('stop', said(0, 'sentence.')),
        ]);
        expect(opened).toHaveLength(2);
        expect(text).toBe('Half a sentence.');
        expect(response.finish).toBe('stop');
        expect(noticeOf({ items: opened[1]?.call.items.slice(0, -1) ?? [] })).toContain('Half a ');
        expect(JSON.stringify(events)).not.toContain('planted');
      },
    );

    test('79 is not gone on with after an open call, and then it ends as a cut', async () => {
      const open: ModelEvent = { kind: 'call-start', index: 0, callId: 'o', name: 'lookup' };
      const { opened, response } = await runLegs([
        [{ kind: 'response-start', id: 'r', model: 'm' }, open, cut],
      ]);
      expect(opened).toHaveLength(1);
      expect(response).toMatchObject({
        finish: 'error',
        finishDetail: 'model/connection-failed',
        incomplete: ['o'],
      });
    });

    test('79 that stays broken ends as a cut, never cleanly', async () => {
      const half: readonly ModelEvent[] = [
        { kind: 'response-start', id: 'r', model: 'm' },
        { kind: 'text-start', index: 0 },
        { kind: 'text-delta', index: 0, text: 'Half' },
      ];
      for (const second of [[cut], half]) {
        const { response } = await runLegs([half, second]);
        expect(response).toMatchObject({ finish: 'error', finishDetail: 'model/stream-incomplete' });
      }
    });

    test('whose repair fails before it said anything ends as it would have ended without', async () => {
      for (const second of [[cut], [{ kind: 'response-error', code: 'x', message: 'y' } as const]]) {
        const { response, text } = await runLegs([leg('stop', said(0, 'Well.')), second]);
        expect([response.finish, text]).toEqual(['stop', 'Well.']);
      }
    });

    test('whose repair fails ends with a start of its own, where the first attempt had none', async () => {
      const { events, thrown } = await runLegs([[ended('stop')], [cut]]);
      expect(thrown).toBeUndefined();
      expect(events).toEqual([{ kind: 'response-start', id: null, model: null }, ended('stop')]);
    });

    test('that is too long to be said again is not repaired', async () => {
      const { opened, records } = await runLegs([leg('stop', said(0, 'x'.repeat(1_048_577)))]);
      expect([opened.length, records[0]?.decisionReason]).toEqual([1, 'intent_build_failed']);
    });

    test('at the limit of its length is not gone on with: the limit is the client’s', async () => {
      const { opened, response } = await runLegs([leg('length', said(0, 'Half'))]);
      expect([opened.length, response.finish]).toEqual([1, 'length']);
    });

    test('80 but with the client’s own completion tool is complete, and the call untouched', async () => {
      const legs = [leg('tool-calls', called(0, 'submit', '{"a":1}', 'o1'))];
      const { response, records } = await runLegs(legs, { clientCompletionTool: 'submit' });
      expect(response.items).toMatchObject([{ name: 'submit', arguments: '{"a":1}', callId: 'o1' }]);
      expect(response.finish).toBe('tool-calls');
      expect(records).toMatchObject([{ decisionReason: 'explicit_completion', observation: 'absent' }]);
      const without = await runLegs(legs);
      expect(without.records).toMatchObject([{ decisionReason: 'unsafe_action_state' }]);
    });
  });

  describe('control calls that cannot count', () => {
    test.each([
      ['several', [completed(0, 'a'), completed(1, 'b')], 'control_call_multiple_calls', 'multiple_calls'],
      [
        'one that is too long',
        [called(0, NAME, 'x'.repeat(65_537))],
        'control_call_args_overflow',
        'args_too_large',
      ],
      ['one that is no JSON', [called(0, NAME, 'done')], 'control_call_args_malformed', 'invalid'],
    ])('are swallowed, and the model is told why: %s', async (_, blocks, reason, observation) => {
      const { opened, events, records } = await runLegs([
        leg('tool-calls', ...blocks),
        leg('tool-calls', completed(0, 'ok')),
      ]);
      expect(records[0]).toMatchObject({ reason, observation, decision: 'continue' });
      expect(noticeOf(opened[1]?.call)).toContain(`not accepted: ${reason}.`);
      expect(events.some(({ kind }) => kind === 'call-start')).toBe(false);
    });

    test('abort the attempt when there are too many to tell apart', async () => {
      const calls = Array.from({ length: 17 }, (_, at) => completed(at, 'x'));
      const { response, opened, records } = await runLegs([leg('tool-calls', said(20, 'x'), ...calls)]);
      expect(opened).toHaveLength(1);
      expect(response).toMatchObject({ finish: 'error', finishDetail: 'control/capture-exhausted' });
      expect(records).toMatchObject([{ decision: 'failed', reason: 'too_many_calls' }]);
    });

    test('are still open when a cut comes', async () => {
      const open: readonly ModelEvent[] = [
        { kind: 'response-start', id: 'r', model: 'm' },
        ...(said(0, 'x') as readonly ModelEvent[]),
        { kind: 'call-start', index: 1, callId: 'c', name: NAME },
      ];
      const { records } = await runLegs([[...open, cut], leg('stop')]);
      expect(records[0]).toMatchObject({ reason: 'control_call_unterminated', cause: 'transport' });
    });
  });

  describe('what the backend and the client see', () => {
    test('81 of parallel candidates: what a loser completed is nowhere, the winner is repaired by itself', async () => {
      let handled = 0;
      const provider = providerWith(() => {
        handled += 1;
        return { kind: 'complete', reasonCode: 'r', resultText: 'Loser.' };
      });
      const controller = new AbortController();
      const lose = runLegs(
        [[...leg('tool-calls', completed(0, 'Loser.')).slice(0, -1), ended('tool-calls')]],
        {
          provider,
          signal: controller.signal,
        },
      );
      controller.abort();
      const loser = await lose;
      const winner = await runLegs([leg('stop', said(0, 'Winner.')), leg('stop')]);
      expect([loser.text, handled]).toEqual(['', 0]);
      expect(winner.opened).toHaveLength(2);
      expect(winner.text).toBe('Winner.');
    });

    test('82 a backend without tools gets none of ours, whatever the client asks of it', async () => {
      const call = callOf({ toolChoice: { mode: 'any' } });
      const { opened } = await runLegs([leg('stop')], { call, capabilities: new Set() });
      expect(opened[0]?.call).toBe(call);
      expect(opened[0]?.attempt.projection?.reason).toBe('backend_tools_unsupported');
    });

    test('83 a request keeps the provider that it began with, to its end', async () => {
      const slot = createProviderSlot([completionTool()]);
      const other = validateProvider(completionTool());
      const before = slot.current;
      let asked = 0;
      const swapped = providerWith((...given) => {
        asked += 1;
        slot.replace([]);
        return other.handle(...given);
      });
      const { text, opened } = await runLegs([leg('stop'), leg('tool-calls', completed(0, 'Old.'))], {
        provider: swapped,
      });
      expect([text, asked, opened.length]).toEqual(['Old.', 1, 2]);
      expect(slot.current).toBeUndefined();
      const broken = {
        ...completionTool(),
        spec: () => {
          throw new Error('no');
        },
      };
      slot.replace([completionTool()]);
      const good = slot.current;
      expect(() => slot.replace([broken])).toThrow(
        expect.objectContaining({ code: 'control/provider-invalid' }),
      );
      expect(slot.current).toBe(good);
      expect(before?.id).toBe(good?.id);
    });

    test('84 without a provider there is no wrapper: the call and the events are the same values', () => {
      const call = callOf();
      const events: AsyncIterable<ModelEvent> = (async function* () {})();
      const seen: unknown[] = [];
      const config: ControlledRunConfig = {
        call,
        provider: undefined,
        capabilities: TOOLS,
        signal: new AbortController().signal,
        open: (given, attempt) => {
          seen.push(given, attempt.edits);
          return events;
        },
      };
      expect(run(config)).toBe(events);
      expect(seen[0]).toBe(call);
      expect(seen[1]).toEqual([]);
      const ineligible = { ...call, toolChoice: { mode: 'none' } } as const;
      expect(run({ ...config, provider: COMPLETION, call: ineligible })).toBe(events);
      expect(seen[2]).toBe(ineligible);
    });

    test.each(PROTOCOLS)(
      '86 on the wires of %s: the tool on one side only, and one set of counts',
      async (protocol) => {
        const codec = codecOf(protocol);
        const blocks = [called(0, NAME, '{"result":"Done."}', 'call_1')];
        const script = leg('tool-calls', ...blocks);
        const withUsage = [...script.slice(0, -1), usage(7), ...script.slice(-1)] as readonly ModelEvent[];
        const encoder = codec.encodeStream({ id: 'r', model: 'm', createdAt: 1, includeUsage: true });
        const wire = withUsage.map((event) => encoder.push(event)).join('');
        const decoder = codec.decodeStream();
        const decoded = [...decoder.push(new TextEncoder().encode(wire)), ...decoder.end()];
        const call = callOf({ limits: { maxOutputTokens: 9 } });
        const { opened, response, events } = await runLegs([decoded], { call });
        const client = codec.encodeStream({ id: 'r', model: 'm', createdAt: 1, includeUsage: true });
        const shown = events.map((event) => client.push(event)).join('');
        const given = opened[0]?.call ?? call;
        expect(JSON.stringify(codec.encodeRequest(given).value.body)).toContain(NAME);
        expect(shown).not.toContain(NAME);
        expect(shown).toContain('Done.');
        expect(response.usage?.outputTotal).toBe(7);
        expect(response.finish).toBe('stop');
        expect(events.some(({ kind }) => kind === 'warning')).toBe(false);
      },
    );

    test('86 of several attempts: their counts together, marked so; what one does not say is unknown', async () => {
      const counted = (
        count: number,
        ...blocks: Parameters<typeof leg>[1][]
      ): readonly (ModelEvent | Error)[] => {
        const script = leg('stop', ...blocks);
        return [...script.slice(0, -1), usage(count), ...script.slice(-1)];
      };
      const { response, events } = await runLegs([counted(7, said(0, 'a')), counted(5, said(0, 'b'))]);
      expect(response.usage).toEqual({
        inputTotal: 12,
        cacheRead: null,
        cacheWrite: null,
        outputTotal: 12,
        reasoning: null,
      });
      expect(events.filter((event) => event.kind === 'warning')).toEqual([
        { kind: 'warning', code: 'usage_summed', detail: expect.any(String) },
      ]);
      const half = await runLegs([leg('stop', said(0, 'a')), counted(5, said(0, 'b'))]);
      expect(half.response.usage?.outputTotal).toBeNull();
      const none = await runLegs([leg('stop', said(0, 'a')), leg('stop', said(0, 'b'))]);
      expect(none.response.usage).toBeNull();
    });

    test('a call that was changed behind the projection is not opened', async () => {
      const broken = await runLegs([leg('stop')], { prepare: (call) => ({ ...call, tools: [] }) });
      expect(broken.thrown).toMatchObject({ code: 'control/projection-conflict' });
      expect(broken.opened).toEqual([]);
      const dropped = await runLegs([leg('tool-calls', completed(0, 'x'))], {
        prepare: (call) => ({ ...call, tools: callOf().tools ?? [] }),
      });
      expect(dropped.opened[0]?.call.tools?.at(-1)?.name).toBe(NAME);
    });

    test('a repair that was changed behind its projection ends the answer with an error', async () => {
      let prepared = 0;
      const { response, opened } = await runLegs([leg('stop', said(0, 'Well.'))], {
        prepare: (call) => {
          prepared += 1;
          return prepared === 1 ? call : { ...call, tools: [] };
        },
      });
      expect(opened).toHaveLength(1);
      expect(response).toMatchObject({ finish: 'error', finishDetail: 'control/projection-conflict' });
    });

    test('blocks of several attempts have numbers of their own', async () => {
      const first = leg('stop', said(0, 'a'), said(3, 'b'));
      const rest: readonly ModelEvent[] = [
        { kind: 'text-start', index: 0 },
        { kind: 'text-delta', index: 0, text: 'c' },
        { kind: 'text-end', index: 0 },
        { kind: 'text-start', index: 1, continues: 0 },
        { kind: 'text-delta', index: 1, text: 'd' },
        { kind: 'text-end', index: 1 },
      ];
      const { events, text } = await runLegs([first, leg('stop', rest)]);
      expect(text).toBe('ab\n\ncd');
      expect(events.filter((event) => event.kind === 'text-start').map(({ index }) => index)).toEqual([
        0, 3, 4, 5,
      ]);
      expect(events.find((event) => event.kind === 'text-start' && event.index === 5)).toMatchObject({
        continues: 4,
      });
    });

    test('what was open when an attempt broke off is closed before the next one', async () => {
      const half: readonly ModelEvent[] = [
        { kind: 'response-start', id: 'r', model: 'm' },
        { kind: 'reasoning-start', index: 0 },
        { kind: 'reasoning-delta', index: 0, text: 'Hm' },
        { kind: 'refusal-start', index: 1 },
        { kind: 'refusal-delta', index: 1, text: 'No' },
        { kind: 'refusal-start', index: 2 },
        { kind: 'refusal-end', index: 2 },
        { kind: 'text-start', index: 3 },
      ];
      const { events } = await runLegs([[...half, cut], leg('stop', said(0, 'x'))]);
      expect(events.slice(half.length, half.length + 3)).toEqual([
        { kind: 'reasoning-end', index: 0 },
        { kind: 'refusal-end', index: 1 },
        { kind: 'text-end', index: 3 },
      ]);
    });

    test('a foreign call that waits for the client comes before a completion, one of the provider does not', async () => {
      const foreign = (type: string): readonly ModelEvent[] => [
        {
          kind: 'foreign',
          index: 5,
          item: {
            kind: 'foreign',
            protocol: 'openai-responses',
            role: 'assistant',
            value: { type, call_id: 'x' },
          },
        },
      ];
      const waiting = await runLegs([leg('tool-calls', foreign('custom_tool_call'), completed(6, 'Done.'))]);
      expect([waiting.text, waiting.response.finish]).toEqual(['', 'tool-calls']);
      expect(waiting.records).toMatchObject([{ reason: 'ordinary_calls_pending' }]);
      const searched = await runLegs([leg('tool-calls', foreign('web_search_call'), completed(6, 'Done.'))]);
      expect([searched.text, searched.response.finish]).toEqual(['Done.', 'stop']);
    });

    test('a picture is output like text', async () => {
      const part: ModelEvent = {
        kind: 'part',
        index: 0,
        part: { kind: 'image', source: { kind: 'url', url: 'https://x.test/' } },
      };
      const start: ModelEvent = { kind: 'response-start', id: 'r', model: 'm' };
      const { opened, records } = await runLegs([[start, part, cut], leg('stop')]);
      expect([opened.length, records[0]?.cause]).toEqual([2, 'transport']);
    });

    test.each([
      ['model/cancelled', 'cancelled'],
      ['model/timeout', 'transport'],
      ['model/provider-error', 'provider'],
    ])('an answer that ends with %s ended because of: %s', async (code, cause) => {
      const { records } = await runLegs([[{ kind: 'response-error', code, message: 'x' }]]);
      expect(records[0]?.cause).toBe(cause);
    });

    test('an answer that the provider calls failed is a failure', async () => {
      expect((await runLegs([leg('error')])).records[0]?.cause).toBe('provider');
      expect((await runLegs([leg('unknown'), leg('stop')])).records[0]?.cause).toBe('unknown');
    });

    test('a thousand calls of other tools are as good as the first ones', async () => {
      const calls = Array.from({ length: 1_000 }, (_, at) => called(at, 'lookup', '{}'));
      const { response, records } = await runLegs([leg('tool-calls', ...calls)]);
      expect(response.items).toHaveLength(1_000);
      expect(records[0]?.decisionReason).toBe('unsafe_action_state');
    });

    test.each<[string, Partial<ControlledRunConfig>]>([
      ['control/meta-invalid', { meta: { traceId: 'x'.repeat(257) } }],
      ['control/options-invalid', { policy: { maxReprompts: 9 } }],
      ['control/options-invalid', { handler: { timeoutMs: 0 } }],
    ])('a configuration that is %s is refused before anything is opened: %j', async (code, change) => {
      const { opened, thrown } = await runLegs([leg('stop')], change);
      expect(thrown).toMatchObject({ code });
      expect(opened).toEqual([]);
    });

    test('what a watcher throws changes nothing', async () => {
      const observe = (): never => {
        throw new Error('no');
      };
      expect((await runLegs([leg('tool-calls', completed(0, 'Done.'))], { observe })).text).toBe('Done.');
    });

    test('the handler learns where a call comes from, and how much work there was before', async () => {
      const seen: unknown[] = [];
      const provider = providerWith((_, meta) => {
        seen.push(meta);
        return { kind: 'invalid', reasonCode: 'no_work_done' };
      });
      const call = callOf({
        items: [
          message('user', 'Go'),
          { kind: 'tool-call', callId: 'a', name: 'lookup', arguments: '{}' },
          { kind: 'tool-result', callId: 'a', parts: [] },
        ],
      });
      const { opened } = await runLegs([leg('tool-calls', completed(0, 'x')), leg('stop')], {
        provider,
        call,
        meta: { traceId: 't', bLegId: 'b' },
      });
      expect(seen).toEqual([{ traceId: 't', bLegId: 'b', attemptSeq: 0, ordinaryCalls: 1 }]);
      expect(noticeOf(opened[1]?.call)).toContain('not accepted: no_work_done.');
    });
  });
});
