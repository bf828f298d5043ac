import { type JsonObject, type JsonValue, readJson, writeJson } from '@toolgate/core';
import type { ModelCall, ModelEvent } from '@toolgate/model';
import type { Redact } from './recording.ts';

const WHOLE = { maxBytes: 'none', maxDepth: 256 } as const;

/** A call as redacted JSON. Members that are `undefined` are absent. */
export function redactRequest(call: ModelCall, redact: Redact): JsonObject {
  return redactJson(toJson(call), redact) as JsonObject;
}

/**
 * Events as redacted JSON. The pieces of a block keep their shape, unless they hold something together that has to go:
 * then the block has one piece.
 */
export function redactEvents(events: readonly ModelEvent[], redact: Redact): readonly ModelEvent[] {
  const texts = new Map<number, string>();
  for (const event of events) {
    const piece = pieceOf(event);
    if (piece !== undefined) texts.set(piece.index, (texts.get(piece.index) ?? '') + piece.text);
  }
  const given = new Set<number>();
  return events.flatMap((event) => {
    const piece = pieceOf(event);
    const whole = piece === undefined ? '' : (texts.get(piece.index) ?? '');
    const clean = redact(whole);
    if (piece === undefined || clean === whole)
      return [redactJson(toJson(event), redact) as unknown as ModelEvent];
    if (given.has(piece.index)) return [];
    given.add(piece.index);
    return [
      event.kind === 'call-delta' ? { ...event, delta: clean } : ({ ...event, text: clean } as ModelEvent),
    ];
  });
}

function pieceOf(event: ModelEvent): { readonly index: number; readonly text: string } | undefined {
  if (event.kind === 'call-delta') return { index: event.index, text: event.delta };
  return 'text' in event ? { index: event.index, text: event.text } : undefined;
}

function toJson(value: unknown): JsonValue {
  return readJson(writeJson(value, WHOLE), { ...WHOLE, inexactIntegers: 'allow', noncharacters: 'allow' });
}

function redactJson(value: JsonValue, redact: Redact): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => redactJson(item, redact));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, redactJson(member, redact)]),
  );
}
