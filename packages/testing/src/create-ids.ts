/**
 * Makes a source of ids that counts: `call-1`, `call-2`, … Each source counts for itself.
 *
 * @param prefix - What stands before the hyphen. Default `id`.
 */
export function createIds(prefix = 'id'): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count}`;
  };
}
