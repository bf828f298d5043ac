/**
 * Lines whose first one was read: what fails before it is no answer that breaks off, but an error.
 *
 * @param onDefect - Learns of what ends the lines later, which whoever reads them sees as a broken connection.
 * @throws What the lines throw instead of the first one.
 */
export async function begunLines(
  lines: AsyncIterable<string>,
  onDefect: (error: unknown) => void,
): Promise<AsyncIterable<string>> {
  const iterator = lines[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* rest(): AsyncGenerator<string> {
    try {
      for (let next = first; next.done !== true; next = await iterator.next()) yield next.value;
    } catch (error) {
      onDefect(error);
      throw error;
    } finally {
      // Whoever reads no further leaves nothing open.
      await iterator.return?.();
    }
  }
  return rest();
}
