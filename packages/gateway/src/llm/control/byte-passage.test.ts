import { CALL_BEGUN, CALL_UNREAD, codecOf, type ModelEvent, PROTOCOLS, type Protocol } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { turnEvents, wireStream } from '../../../test-support/wire-samples.ts';
import { createBytePassage } from './byte-passage.ts';

const said = (text: string): ModelEvent => ({ kind: 'text-delta', index: 0, text });
const bytes = (text: string): readonly Uint8Array[] => [Buffer.from(text)];
const [ONE, TWO, CALL] = [said('one'), said('two'), said('of the control call')];

const CHAT = { protocol: 'openai-chat', stream: true, toolName: 'attempt_completion' } as const;
const NO_COUNTS = { inputTotal: 1, cacheRead: null, cacheWrite: null, outputTotal: 1, reasoning: null };

const written = (protocol: Protocol): [string, Protocol, readonly string[]] => [
  'as we write it',
  protocol,
  wireStream(protocol, turnEvents([])).map(String),
];

describe('the bytes of a provider', () => {
  test('pass as they are as long as all that they say is shown', () => {
    const passage = createBytePassage(CHAT);
    const step = { events: [ONE, TWO], raw: bytes('1') };
    expect(passage.pass(step, [ONE, TWO])).toBe(step);
  });

  test('that say nothing wait, and pass with what they belong to', () => {
    const passage = createBytePassage(CHAT);
    expect(passage.pass({ events: [], raw: bytes(':a') }, [])).toBeUndefined();
    expect(passage.pass({ events: [], raw: bytes(':b') }, [])).toBeUndefined();
    const passed = passage.pass({ events: [ONE], raw: bytes('1') }, [ONE]);
    expect(passed?.raw?.map(String)).toEqual([':a', ':b', '1'].map((text) => String(Buffer.from(text))));
  });

  test.each<[string, readonly ModelEvent[]]>([
    ['less is shown', [ONE]],
    ['more is shown', [ONE, CALL, TWO]],
    ['something else is shown', [ONE, said('two')]],
    ['nothing is shown', []],
  ])('no longer pass once %s than they say', (_, shown) => {
    const passage = createBytePassage(CHAT);
    expect(passage.pass({ events: [], raw: bytes(':a') }, [])).toBeUndefined();
    const changed = passage.pass({ events: [ONE, CALL], raw: bytes('1') }, shown);
    expect(changed).toEqual(shown.length === 0 ? undefined : { events: shown });
    expect(passage.pass({ events: [], raw: bytes(':b') }, [])).toBeUndefined();
    expect(passage.pass({ events: [TWO], raw: bytes('2') }, [TWO])).toEqual({ events: [TWO] });
  });

  test.each<[string, readonly ModelEvent[]]>([
    ['the end of a block', [{ kind: 'text-end', index: 0 }]],
    ['the last piece and the end of a block', [TWO, { kind: 'text-end', index: 0 }]],
    ['counts', [{ kind: 'usage', usage: NO_COUNTS }]],
    ['nothing', []],
  ])('that say %s wait until the answer goes on or ends', (_, last) => {
    const more = [said('more')];
    const end: readonly ModelEvent[] = [{ kind: 'response-end', finish: 'stop' }];
    for (const next of [more, end]) {
      const passage = createBytePassage(CHAT);
      expect(passage.pass({ events: last, raw: bytes('1') }, last)).toBeUndefined();
      const passed = passage.pass({ events: next, raw: bytes('2') }, next);
      expect(passed).toEqual({ events: [...last, ...next], raw: [...bytes('1'), ...bytes('2')] });
    }
    const passage = createBytePassage(CHAT);
    passage.pass({ events: last, raw: bytes('1') }, last);
    expect(passage.pass({ events: end, raw: bytes('2') }, more)).toEqual({ events: [...last, ...more] });
  });

  test.each<[string, (text: string) => Uint8Array]>([
    ['a buffer', (text) => Buffer.from(text)],
    ['another view', (text) => new TextEncoder().encode(text)],
    ['a part of a view', (text) => new TextEncoder().encode(`..${text}..`).subarray(2, text.length + 2)],
  ])('that name the control tool do not pass, as %s', (_, view) => {
    const passage = createBytePassage(CHAT);
    const near = { events: [ONE], raw: [view('{"name":"attempt_completio"}')] };
    expect(passage.pass(near, [ONE])).toBe(near);
    const named = { events: [TWO], raw: [view('{}'), view('{"name":"attempt_completion"}')] };
    expect(passage.pass(named, [TWO])).toEqual({ events: [TWO] });
  });

  const chat = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ id: 'r', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const gemini = (text: string, more: object): string =>
    `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text }] }, ...more }] })}\n\n`;
  test.each<[string, Protocol, readonly string[]]>([
    ...PROTOCOLS.map(written),
    ['with its start', 'openai-chat', [chat({ role: 'assistant', content: '' }, 'stop')]],
    ['with its last text', 'openai-chat', [chat({ content: 'a' }, null), chat({ content: 'b' }, 'stop')]],
    ['with its last text', 'gemini', [gemini('a', {}), gemini('b', { finishReason: 'STOP' })]],
  ])('say no end that is not decided, where it comes %s in %s', (_, protocol, frames) => {
    const decoder = codecOf(protocol).decodeStream();
    const passage = createBytePassage({ ...CHAT, protocol });
    let said = '';
    for (const frame of frames) {
      const events = decoder.push(Buffer.from(frame));
      if (events.at(-1)?.kind === 'response-end') break;
      said += (passage.pass({ events, raw: bytes(frame) }, events)?.raw ?? []).map(String).join('');
    }
    expect(said === '').toBe(protocol === 'gemini' || frames.length === 1);
    expect(said).not.toMatch(/finish_?reason"?: ?"[^"]|stop_reason": ?"|response\.completed/i);
  });

  test('that say the whole answer do not wait', () => {
    const passage = createBytePassage(CHAT);
    const events: readonly ModelEvent[] = [
      ONE,
      { kind: 'text-end', index: 0 },
      { kind: 'response-end', finish: 'stop' },
    ];
    const step = { events, raw: bytes('1') };
    expect(passage.pass(step, events)).toBe(step);
  });

  test.each([CALL_BEGUN, CALL_UNREAD])('do not pass once there was a warning of %s', (code) => {
    const passage = createBytePassage(CHAT);
    const warning: ModelEvent = { kind: 'warning', code, detail: '' };
    expect(passage.pass({ events: [warning], raw: bytes('1') }, [warning])).toEqual({ events: [warning] });
    expect(passage.pass({ events: [ONE], raw: bytes('2') }, [ONE])).toEqual({ events: [ONE] });
  });

  test('do not pass once some of them name the control tool, whatever events tell of it', () => {
    const passage = createBytePassage(CHAT);
    expect(passage.pass({ events: [], raw: bytes(':a') }, [])).toBeUndefined();
    expect(passage.pass({ events: [], raw: bytes('{"name":"attempt_completion"}') }, [])).toBeUndefined();
    expect(passage.pass({ events: [ONE], raw: bytes('1') }, [ONE])).toEqual({ events: [ONE] });
  });

  test('that go on saying nothing do not wait without end', () => {
    const passage = createBytePassage(CHAT);
    const counts: ModelEvent = { kind: 'usage', usage: NO_COUNTS };
    const raw = [Buffer.alloc(100_000)];
    const steps = Array.from({ length: 12 }, () => passage.pass({ events: [counts], raw }, [counts]));
    expect(steps.findIndex((step) => step !== undefined)).toBe(10);
    expect(steps[10]).toEqual({ events: Array.from({ length: 11 }, () => counts) });
    expect(steps[11]).toEqual({ events: [counts] });
  });

  test('do not pass where there are none', () => {
    const passage = createBytePassage(CHAT);
    expect(passage.pass({ events: [ONE] }, [ONE])).toEqual({ events: [ONE] });
    expect(passage.pass({ events: [TWO], raw: bytes('2') }, [TWO])).toEqual({ events: [TWO] });
  });
});
