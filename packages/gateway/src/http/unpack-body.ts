import zlib from 'node:zlib';

/** What a packed body is. */
export type Unpacked =
  | { readonly kind: 'body'; readonly body: Buffer }
  /** It has more bytes than a body may have; it was not unpacked further. */
  | { readonly kind: 'too-large' }
  | { readonly kind: 'broken' };

/** Codes of the errors of bodies that cannot be unpacked, which the server answers with refusals. */
export const UNPACK_TOO_LARGE = 'unpack/too-large';
export const UNPACK_BROKEN = 'unpack/broken';

type Unpack = (
  packed: Buffer,
  options: { readonly maxOutputLength: number },
  done: (error: Error | null, body: Buffer) => void,
) => void;

// Older editions of the platform cannot read the last one.
const zstdDecompress = 'zstdDecompress' in zlib ? (zlib.zstdDecompress as Unpack) : undefined;

const UNPACKS: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ['gzip', zlib.gunzip],
  ['x-gzip', zlib.gunzip],
  ['deflate', inflateEither],
  ['br', zlib.brotliDecompress],
  ...(zstdDecompress === undefined ? [] : [['zstd', zstdDecompress] as const]),
]);

/** Encodings of bodies that can be read, as a header says them. */
export const READ_ENCODINGS: string = [...UNPACKS.keys()].filter((name) => name !== 'x-gzip').join(', ');

/** Whether bodies of this `Content-Encoding` can be read. Several at once cannot. */
export function canUnpack(encoding: string): boolean {
  return UNPACKS.has(encoding.trim().toLowerCase());
}

/** Unpacks a body that is there as a whole, and no more of it than `maxBytes`. */
export function unpackBody(
  packed: Buffer,
  encoding: string,
  maxBytes: number,
  done: (unpacked: Unpacked) => void,
): void {
  const unpack = UNPACKS.get(encoding.trim().toLowerCase());
  if (unpack === undefined) {
    done({ kind: 'broken' });
    return;
  }
  unpack(packed, { maxOutputLength: maxBytes }, (error, body) => {
    if (error === null) done({ kind: 'body', body });
    else done({ kind: 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'broken' });
  });
}

/** Clients send under this name both what RFC 9110 means, with a head, and the bare data. */
function inflateEither(...[packed, options, done]: Parameters<Unpack>): void {
  const [first = 0, second = 0] = packed;
  const hasHead = (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
  if (hasHead) zlib.inflate(packed, options, done);
  else zlib.inflateRaw(packed, options, done);
}
