import zlib from 'node:zlib';

/** Unpacks the bytes of one answer as they come. */
export interface AnswerUnpacker {
  push(chunk: Uint8Array): void;
  /** No more bytes come; those that were unpacked still do. */
  end(): void;
  pause(): void;
  resume(): void;
  /** Nothing more comes. */
  stop(): void;
}

/** Receives the plain bytes. After `end` or `broken` nothing more comes. */
export interface UnpackHandler {
  readonly data: (chunk: Buffer) => void;
  readonly end: () => void;
  /** The bytes are not what the header said. */
  readonly broken: () => void;
}

type Stream = ReturnType<typeof zlib.createGunzip>;

type Open = (first: Uint8Array) => Stream;

// Older editions of the platform cannot read the last one.
const createZstd = 'createZstdDecompress' in zlib ? (zlib.createZstdDecompress as () => Stream) : undefined;

/** Bytes that break off are no fault of the packing: whoever reads them knows whether the answer is whole. */
const MAY_BREAK_OFF = Object.freeze({ finishFlush: zlib.constants.Z_SYNC_FLUSH });

const STREAMS: ReadonlyMap<string, Open> = new Map<string, Open>([
  ['gzip', () => zlib.createGunzip(MAY_BREAK_OFF)],
  ['x-gzip', () => zlib.createGunzip(MAY_BREAK_OFF)],
  [
    'deflate',
    (first) => (hasHead(first) ? zlib.createInflate(MAY_BREAK_OFF) : zlib.createInflateRaw(MAY_BREAK_OFF)),
  ],
  ['br', () => zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH })],
  ...(createZstd === undefined ? [] : [['zstd', createZstd] as const]),
]);

/**
 * Makes an unpacker of a `Content-Encoding`. Nobody asks a provider for one, yet what stands before a provider may pack
 * its answers all the same.
 *
 * @returns `undefined` for answers that come plain, and for names that are no encoding, under which plain answers come.
 */
export function createUnpacker(encoding: string, handler: UnpackHandler): AnswerUnpacker | undefined {
  const open = STREAMS.get(encoding.trim().toLowerCase());
  if (open === undefined) return undefined;
  let stream: Stream | undefined;
  let paused = false;

  const begin = (first: Uint8Array): Stream => {
    const begun = open(first);
    begun.on('data', handler.data);
    begun.once('end', handler.end);
    begun.once('error', handler.broken);
    if (paused) begun.pause();
    return begun;
  };
  return {
    push(chunk) {
      stream ??= begin(chunk);
      stream.write(chunk);
    },
    end() {
      // A body of no bytes is an empty one, however it is packed.
      if (stream === undefined) handler.end();
      else stream.end();
    },
    pause() {
      paused = true;
      stream?.pause();
    },
    resume() {
      paused = false;
      stream?.resume();
    },
    stop() {
      stream?.removeAllListeners('data');
      stream?.destroy();
    },
  };
}

/** Servers send under this name both what RFC 9110 means, with a head, and the bare data. */
function hasHead(first: Uint8Array): boolean {
  const [method = 0, flags = 0] = first;
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0;
}
