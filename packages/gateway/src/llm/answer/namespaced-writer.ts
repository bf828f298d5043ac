import { type NamespacedName, restoreNamespace } from '@toolgate/model';
import type { AnswerWriter } from './answer-writer.ts';

/**
 * A writer of a translated answer that puts calls into the namespaces in which the client has their functions. Whoever
 * judges, counts or keeps calls before it knows them by their whole names.
 */
export function withNamespaces(
  writer: AnswerWriter,
  names: ReadonlyMap<string, NamespacedName>,
): AnswerWriter {
  return {
    end: () => writer.end(),
    encodeFromHere: () => writer.encodeFromHere(),
    losses: () => writer.losses(),
    emit: ({ events }) => writer.emit({ events: events.map((event) => restoreNamespace(event, names)) }),
  };
}
