import { toolOutput } from '@toolgate/core';
import type { CorpusHandlerContext } from '../corpus/corpus-adapter.ts';
import { createLeakingHandler } from '../handler/hostile-results.ts';
import { createThrowingHandler } from '../handler/hostile-throws.ts';
import { authorThrows } from './author-throws.ts';
import { pause, type Stage } from './stage.ts';

/** What a corpus tool does when it runs. */
export type CorpusHandler = (input: unknown, context?: CorpusHandlerContext) => unknown;

type HandlerMaker = (stage: Stage, parameter: string) => CorpusHandler;

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const DSN = 'postgres://app:hunter2@db.internal:5432/prod';

function throwing(how: 'throw' | 'reject', id: string): CorpusHandler {
  const make = authorThrows.get(id);
  if (make === undefined) return createThrowingHandler(id, how);
  if (how === 'reject') return () => Promise.reject(make());
  return () => {
    throw make();
  };
}

const aborted = (context: CorpusHandlerContext | undefined): Promise<void> =>
  new Promise((resolve) => {
    const signal = context?.signal;
    if (signal?.aborted === true) resolve();
    else signal?.addEventListener('abort', () => resolve(), { once: true });
  });

async function slow(
  stage: Stage,
  delayMs: number,
  context: CorpusHandlerContext | undefined,
): Promise<string> {
  let cancelled = false;
  await Promise.race([
    pause(stage, delayMs),
    aborted(context).then(() => {
      cancelled = true;
    }),
  ]);
  if (cancelled) throw new Error(`stopped while talking to ${DSN}`);
  return 'done';
}

/** Changes what it got as deeply as it can, to show whether anybody else sees it. */
function spoil(input: unknown): unknown {
  const before = JSON.stringify(input);
  if (typeof input === 'object' && input !== null) {
    for (const member of Object.keys(input)) Reflect.set(input, member, 'spoilt');
    Reflect.set(input, 'added', true);
  }
  return before;
}

/** Behaviours of handlers by the first word of their id; the rest, after a colon, is the parameter. */
const makers: ReadonlyMap<string, HandlerMaker> = new Map<string, HandlerMaker>([
  ['echo', () => (input) => input],
  ['ok', () => () => 'done'],
  ['throw', (_stage, id) => throwing('throw', id)],
  ['reject', (_stage, id) => throwing('reject', id)],
  ['return', (_stage, id) => createLeakingHandler(id, 'return')],
  ['resolve', (_stage, id) => createLeakingHandler(id)],
  // Never looks at its signal; ends with the case.
  [
    'deaf',
    (stage) => async () => {
      await stage.released;
      return 'late';
    },
  ],
  [
    'deaf-then-throws',
    (stage) => async () => {
      await stage.released;
      throw new Error(`late ${DSN}`);
    },
  ],
  // Heeds its signal.
  ['slow', (stage, delayMs) => (_input, context) => slow(stage, Number(delayMs), context)],
  // Never looks at its signal, and is done after that time.
  [
    'stubborn',
    (stage, delayMs) => async () => {
      await pause(stage, Number(delayMs));
      return 'done';
    },
  ],
  // Works until it is told to stop, then still returns what it has.
  [
    'until-aborted',
    () => async (_input, context) => {
      await aborted(context);
      return 'saved on the way out';
    },
  ],
  [
    'fails-when-aborted',
    () => async (_input, context) => {
      await aborted(context);
      throw new Error(`stopped while talking to ${DSN}`);
    },
  ],
  [
    'gives-up-when-aborted',
    () => async (_input, context) => {
      await aborted(context);
      context?.signal?.throwIfAborted();
    },
  ],
  ['spoil', () => spoil],
  ['freeze', () => (input) => Object.freeze(input)],
  ['text', (_stage, size) => () => 'x'.repeat(Number(size))],
  ['bytes', (_stage, size) => () => 'é'.repeat(Number(size) / 2)],
  ['marked', (_stage, size) => () => `HEAD${'x'.repeat(Number(size))}TAIL`],
  ['image', () => () => toolOutput({ parts: [{ kind: 'image', mediaType: 'image/png', data: PIXEL }] })],
  [
    'text-and-image',
    (_stage, size) => () =>
      toolOutput({
        parts: [
          { kind: 'text', text: 'x'.repeat(Number(size)) },
          { kind: 'image', mediaType: 'image/png', data: PIXEL },
        ],
      }),
  ],
  [
    'bad-image',
    (_stage, data) => () => ({
      kind: 'tool-output',
      parts: [{ kind: 'image', mediaType: 'image/png', data: data === '' ? 'not base64!' : data }],
      byteSize: 1,
      structured: undefined,
      text: () => DSN,
      toJSON: () => ({ parts: [] }),
    }),
  ],
]);

/** The first words of all handler ids. */
export const handlerWords: readonly string[] = [...makers.keys()];

/** The handler of that id. @throws RangeError for an id that no behaviour has. */
export function handlerOf(id: string, stage: Stage): CorpusHandler {
  const colon = id.indexOf(':');
  const maker = makers.get(colon < 0 ? id : id.slice(0, colon));
  if (maker === undefined) throw new RangeError(`no handler is called ${id}`);
  return maker(stage, colon < 0 ? '' : id.slice(colon + 1));
}
