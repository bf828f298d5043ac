import type { ModelEvent } from '../event/model-event.ts';
import type { NameMap } from '../naming/name-map.ts';
import { restoreEvent } from '../naming/restore-names.ts';
import type { ProjectedFormat } from '../projection/project-format.ts';
import type { ProjectedTools } from '../projection/project-tools.ts';

/** Gives an answer the names and the argument form that the caller's own tools have; state of one answer. */
export interface AnswerRestorer {
  push(event: ModelEvent): readonly ModelEvent[];
  /** What is still held; for an answer that breaks off without a terminal event. */
  release(): readonly ModelEvent[];
}

/** The deltas of one block. */
interface HeldBlock {
  readonly kind: 'call-delta' | 'text-delta';
  readonly pieces: string[];
}

/**
 * Makes the restorer of one answer. The deltas of a call whose arguments may change, and of a text that has to follow a
 * schema that was changed, are held until their end, because no part of them is known to be right before; a block that
 * the provider does not finish gets them as they came.
 */
export function createAnswerRestorer(
  names: NameMap,
  tools: ProjectedTools | undefined,
  format: ProjectedFormat | undefined,
): AnswerRestorer {
  const held = new Map<number, HeldBlock>();
  const release = (): readonly ModelEvent[] => {
    const events = [...held].flatMap(([index, { kind, pieces }]) => deltaOf(kind, index, pieces.join('')));
    held.clear();
    return events;
  };
  return Object.freeze({
    release,
    push(given: ModelEvent) {
      const event = restoreEvent(given, names);
      if (event.kind === 'response-end' || event.kind === 'response-error') return [...release(), event];
      if (event.kind === 'call-start') {
        if (tools?.restores(event.name) === true) held.set(event.index, { kind: 'call-delta', pieces: [] });
      } else if (event.kind === 'text-start') {
        if (format?.restores === true) held.set(event.index, { kind: 'text-delta', pieces: [] });
      } else if (event.kind === 'call-delta' || event.kind === 'text-delta') {
        const block = held.get(event.index);
        if (block === undefined) return [event];
        block.pieces.push(event.kind === 'call-delta' ? event.delta : event.text);
        return [];
      } else if (event.kind === 'call-end' && held.delete(event.index)) {
        const text = tools?.restoreArguments(event.name, event.arguments) ?? event.arguments;
        return [...deltaOf('call-delta', event.index, text), { ...event, arguments: text }];
      } else if (event.kind === 'text-end') {
        const written = held.get(event.index)?.pieces.join('');
        if (written === undefined) return [event];
        held.delete(event.index);
        return [...deltaOf('text-delta', event.index, format?.restoreText(written) ?? written), event];
      }
      return [event];
    },
  });
}

function deltaOf(kind: HeldBlock['kind'], index: number, text: string): readonly ModelEvent[] {
  if (text === '') return [];
  return [kind === 'call-delta' ? { kind, index, delta: text } : { kind, index, text }];
}
