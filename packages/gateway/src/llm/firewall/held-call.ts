import { CALL_BEGUN, type ModelEvent, wholeName } from '@toolgate/model';
import type { CallVerdict, ProposedCall } from './call-verdict.ts';
import { readForeignCall, withInput } from './foreign-call.ts';
import { replacementText } from './replacement-text.ts';

/** One call of a turn from its start to its verdict. */
export interface HeldCall {
  readonly index: number;
  readonly callId: string;
  /** The whole name, with the namespace that it stands in. */
  readonly name: string;
  /** `undefined` until somebody has decided. */
  verdict: CallVerdict | undefined;
  /** Whether it is whole and was put to the judge. */
  judged: boolean;
  /** Whether a part of it has no bytes of its own, so that those of the others would say it beside what is written anew. */
  anew?: boolean;
}

/** The call that an event begins; foreign ones come whole. */
export function beginCall(
  event: ModelEvent,
): { readonly held: HeldCall; readonly whole?: ProposedCall } | undefined {
  if (event.kind === 'call-start') {
    const { callId, extensions, index } = event;
    const own = extensions?.protocol === 'openai-responses' ? extensions.members : undefined;
    const name = wholeName(event.name, own?.['namespace']);
    return { held: { index, callId, name, verdict: undefined, judged: false } };
  }
  if (event.kind !== 'foreign') return undefined;
  const whole = readForeignCall(event.item);
  if (whole === undefined) return undefined;
  const { callId, name } = whole;
  return { held: { index: event.index, callId, name, verdict: undefined, judged: false }, whole };
}

/** Holds a call from the first piece that came of it, although what it is comes later. */
export function holdBegun(event: ModelEvent, held: Map<number, HeldCall>): void {
  if (event.kind !== 'warning' || event.code !== CALL_BEGUN || event.index === undefined) return;
  const { index } = event;
  if (!held.has(index)) held.set(index, { index, callId: '', name: '', verdict: undefined, judged: false });
}

/** The index of the block that an event belongs to, if it belongs to one. */
export function indexOf(event: ModelEvent): number | undefined {
  return 'index' in event ? event.index : undefined;
}

/** The call that an event belongs to, if it belongs to one that is held. */
export function heldOf(event: ModelEvent, held: ReadonlyMap<number, HeldCall>): HeldCall | undefined {
  if (held.size === 0 || !('index' in event) || event.index === undefined) return undefined;
  return held.get(event.index);
}

/**
 * An event of a decided call as the client gets it.
 *
 * @param silent - Whether a refused call leaves no text, because the model is told instead.
 * @param apart - Whether the text is set apart from what was said before.
 */
export function decidedEvents(
  event: ModelEvent,
  { verdict }: HeldCall,
  { silent, apart }: { readonly silent: boolean; readonly apart: boolean },
): readonly ModelEvent[] {
  if (verdict === undefined) return [];
  if (verdict.kind === 'release') {
    const edited = verdict.arguments;
    if (edited === undefined) return [event];
    if (event.kind === 'call-delta') return [];
    if (event.kind === 'foreign') return [{ ...event, item: withInput(event.item, edited) }];
    if (event.kind !== 'call-end') return [event];
    return [
      { kind: 'call-delta', index: event.index, delta: edited },
      { ...event, arguments: edited },
    ];
  }
  if (silent || (event.kind !== 'call-start' && event.kind !== 'foreign')) return [];
  const { index } = event;
  const text = `${apart ? '\n\n' : ''}${replacementText(verdict.reason)}`;
  return [
    { kind: 'text-start', index },
    { kind: 'text-delta', index, text },
    { kind: 'text-end', index },
  ];
}

/** Whether the events of a decided call are the provider's own, so that its bytes may stand for them. */
export function isUntouched({ anew, verdict }: HeldCall): boolean {
  return verdict?.kind === 'release' && verdict.arguments === undefined && anew !== true;
}

/**
 * Notes that an event came without bytes that tells a call from its beginning: what came of it before its start, or, where
 * it is given out whole, before its final form. What comes behind a start that was told goes on from there.
 */
export function noteAnew(event: ModelEvent, held: ReadonlyMap<number, HeldCall>): void {
  if (event.kind !== 'foreign' && event.kind !== 'warning' && event.kind !== 'call-start') return;
  const call = heldOf(event, held);
  if (call !== undefined) call.anew = true;
}
