/** JSON as a provider writes it. */
export type Wire = Readonly<Record<string, unknown>>;

/** What every sample calls `find` with. */
export const ARGUMENTS = '{"path":"a"}';
/** The same as it comes in a stream. */
export const PIECES: readonly string[] = ['{"path"', ':"a"}'];

/** Events without names. */
export const data = (...events: readonly Wire[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
/** Events that are named by their type. */
export const named = (...events: readonly Wire[]): string =>
  events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join('');
