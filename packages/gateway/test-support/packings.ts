import zlib from 'node:zlib';

type Pack = (body: string) => Uint8Array;

// Node 20 has no Zstandard, nor have its types.
const { zstdCompressSync } = zlib as { readonly zstdCompressSync?: Pack };

/** What a content encoding is called, as senders write it, and what packs a text in it; all that this Node has. */
export const PACKINGS: readonly (readonly [encoding: string, pack: Pack])[] = [
  ['gzip', zlib.gzipSync],
  ['GZIP', zlib.gzipSync],
  ['x-gzip', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['deflate', zlib.deflateRawSync],
  ['br', zlib.brotliCompressSync],
  ...(zstdCompressSync === undefined ? [] : [['zstd', zstdCompressSync] as const]),
];
