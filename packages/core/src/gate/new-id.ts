import { ignoreThrown } from '../internal/ignore-thrown.ts';
import { GateError } from './gate-error.ts';

/** What is wrong about a source that gives none. */
export const NO_ID = 'ids gives a text each time.';

/**
 * An id from the application's own source. One that is no text, such as the promise of an async function, would be an id of nothing.
 *
 * @throws {@link GateError} `gate/options-invalid`; whatever the source throws.
 */
export function newId(ids: () => string): string {
  const id: unknown = ids();
  if (typeof id === 'string' && id !== '') return id;
  ignoreThrown(id);
  throw new GateError('gate/options-invalid', NO_ID);
}
