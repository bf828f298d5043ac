import type { ModelEvent } from '../event/model-event.ts';
import type { NameMap } from '../naming/name-map.ts';
import { restoreEvent } from '../naming/restore-names.ts';
import type { ProjectedTools } from '../projection/project-tools.ts';

/** Gives an answer the names and the argument form that the caller's own tools have; state of one answer. */
export interface AnswerRestorer {
  push(event: ModelEvent): readonly ModelEvent[];
  /** What is still held; for an answer that breaks off without a terminal event. */
  release(): readonly ModelEvent[];
}

/**
 * Makes the restorer of one answer. The deltas of a call whose arguments may change are held until its end, because no
 * part of them is known to be right before; one that the provider does not finish gets them as they came.
 */
export function createAnswerRestorer(names: NameMap, tools: ProjectedTools | undefined): AnswerRestorer {
  const held = new Map<number, string[]>();
  const release = (): readonly ModelEvent[] => {
    const events = [...held].flatMap(([index, pieces]) => deltaOf(index, pieces.join('')));
    held.clear();
    return events;
  };
  return Object.freeze({
    release,
    push(given: ModelEvent) {
      const event = restoreEvent(given, names);
      if (event.kind === 'call-start' && tools?.restores(event.name) === true) held.set(event.index, []);
      if (event.kind === 'response-end' || event.kind === 'response-error') return [...release(), event];
      if (event.kind !== 'call-delta' && event.kind !== 'call-end') return [event];
      const pieces = held.get(event.index);
      if (pieces === undefined) return [event];
      if (event.kind === 'call-delta') {
        pieces.push(event.delta);
        return [];
      }
      held.delete(event.index);
      const text = tools?.restoreArguments(event.name, event.arguments) ?? event.arguments;
      return [...deltaOf(event.index, text), { ...event, arguments: text }];
    },
  });
}

function deltaOf(index: number, delta: string): readonly ModelEvent[] {
  return delta === '' ? [] : [{ kind: 'call-delta', index, delta }];
}
