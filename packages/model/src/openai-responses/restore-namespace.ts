import { toExtensions } from '../codec/extensions.ts';
import type { ModelEvent } from '../event/model-event.ts';
import type { NamespacedName } from './namespaced-name.ts';
import { RESPONSES } from './responses-protocol.ts';

/**
 * One event of an answer with the function where its client has it: under its own name, in its namespace. A name that is
 * none of them stays as it is.
 *
 * @param names - Those of {@link flattenNamespaces}.
 */
export function restoreNamespace(event: ModelEvent, names: ReadonlyMap<string, NamespacedName>): ModelEvent {
  if (event.kind !== 'call-start' && event.kind !== 'call-end') return event;
  const own = names.get(event.name);
  if (own === undefined) return event;
  const { name, namespace } = own;
  if (event.kind === 'call-end') return { ...event, name };
  return { ...event, name, extensions: toExtensions(RESPONSES, { namespace }) };
}
