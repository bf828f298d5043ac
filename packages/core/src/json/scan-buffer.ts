/** Room behind the text: two quotes as sentinels, and what a look ahead may touch. */
export const PADDING = 32;

/** Bytes to scan, and a view of them for looks at four at once. */
export interface ScanBuffer {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** A buffer of so many bytes, without content. */
export function createScanBuffer(size: number): ScanBuffer {
  const bytes = new Uint8Array(size);
  return { bytes, view: new DataView(bytes.buffer) };
}
