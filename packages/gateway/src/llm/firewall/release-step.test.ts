import type { ModelEvent } from '@toolgate/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallVerdict } from './call-verdict.ts';
import { decidedEvents, type HeldCall, isUntouched } from './held-call.ts';
import { releaseStep } from './release-step.ts';

const RELEASED: CallVerdict = { kind: 'release' };
const EDITED: CallVerdict = { kind: 'release', arguments: '{"path":"b"}' };
const REFUSED: CallVerdict = { kind: 'refuse', reason: 'arguments_rejected', text: '' };
const END: ModelEvent = { kind: 'response-end', finish: 'tool-calls', finishDetail: 'tool_calls' };

const turnOf = (...verdicts: readonly CallVerdict[]) => ({
  held: new Map(
    verdicts.map((verdict, index): [number, HeldCall] => [
      index,
      { index, callId: `c${index}`, name: 'find', verdict, judged: true },
    ]),
  ),
  said: false,
});

const callEvents = (index: number): readonly ModelEvent[] => [
  { kind: 'call-start', index, callId: `c${index}`, name: 'find' },
  { kind: 'call-delta', index, delta: '{"path":"a"}' },
  { kind: 'call-end', index, callId: `c${index}`, name: 'find', arguments: '{"path":"a"}' },
];

test('a step whose calls all go out as they came is the very same, bytes and all', () => {
  const raw = [Uint8Array.of(1)];
  const step = { events: [...callEvents(0), ...callEvents(1), END], raw };
  expect(releaseStep(step, turnOf(RELEASED, RELEASED), false)).toBe(step);
});

test('a step with a call that does not go out as it came has no bytes', () => {
  for (const verdict of [EDITED, REFUSED]) {
    const step = { events: callEvents(1), raw: [Uint8Array.of(1)] };
    const released = releaseStep(step, turnOf(RELEASED, verdict), false);
    expect(released.raw).toBeUndefined();
    expect(released.events).not.toEqual(step.events);
  }
});

test('the bytes of an end are not passed on when a call of another step did not go out as it came', () => {
  for (const verdict of [EDITED, REFUSED]) {
    const step = { events: [END], raw: [Uint8Array.of(1)] };
    expect(releaseStep(step, turnOf(RELEASED, verdict), false)).not.toHaveProperty('raw');
  }
});

test('a turn that the model is told about has no end', () => {
  const usage: ModelEvent = { kind: 'usage', usage: null as never };
  const released = releaseStep({ events: [...callEvents(0), usage, END] }, turnOf(REFUSED), true);
  expect(released.events).toEqual([usage]);
});

const index = fc.nat(4);
const event: fc.Arbitrary<ModelEvent> = fc.oneof(
  index.chain((at) => fc.constantFrom(...callEvents(at))),
  index.map((at): ModelEvent => ({ kind: 'text-delta', index: at, text: 'a' })),
  index.map((at): ModelEvent => ({ kind: 'text-end', index: at })),
  fc.constant<ModelEvent>({ kind: 'warning', code: 'other', detail: '' }),
);

test('what goes out of a step is what goes out of its events one by one', () => {
  const verdicts = fc.array(fc.constantFrom(RELEASED, RELEASED, EDITED, REFUSED), { maxLength: 4 });
  fc.assert(
    fc.property(verdicts, fc.array(event, { maxLength: 6 }), fc.boolean(), (given, events, said) => {
      const turn = { ...turnOf(...given), said };
      const alone = { ...turn };
      const one = events.flatMap((each) => releaseStep({ events: [each] }, alone, false).events);
      const whole = releaseStep({ events, raw: [] }, turn, false);
      expect(whole.events).toEqual(one);
      expect(turn.said).toBe(alone.said);
      const touched = events.some((each) => {
        const call = 'index' in each && each.index !== undefined ? turn.held.get(each.index) : undefined;
        return call !== undefined && !isUntouched(call);
      });
      expect(whole.raw === undefined).toBe(touched);
      for (const each of events) {
        const call = 'index' in each && each.index !== undefined ? turn.held.get(each.index) : undefined;
        if (call?.verdict?.kind !== 'release') continue;
        const decided = decidedEvents(each, call, { silent: false, apart: true });
        expect(whole.events).toEqual(expect.arrayContaining([...decided]));
      }
    }),
  );
});
