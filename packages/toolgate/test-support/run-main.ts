import { main } from '../src/main.ts';
import type { CliIo, TextSink } from '../src/terminal/cli-io.ts';

/** What a run of the command line left behind. */
export interface MainRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly questions: readonly string[];
}

/** Streams and surroundings of one run. */
export interface RunMainOptions {
  readonly stdin?: string | AsyncIterable<Uint8Array>;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Columns of a terminal that everything is written to. Default: no terminal. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
  /** Lines that a person types, one for each question; then the input ends. Default: nobody can be asked. */
  readonly answers?: readonly string[];
  /** Sees each text before it is kept; may throw what a broken stream throws. */
  readonly onWrite?: (text: string) => void;
  /** Milliseconds; moves by 1,000 with each look by default. */
  readonly now?: () => number;
}

/** Runs the command line in this process. */
export async function runMain(argv: readonly string[], options: RunMainOptions = {}): Promise<MainRun> {
  const kept = { stdout: '', stderr: '' };
  const sink = (name: keyof typeof kept): TextSink => ({
    isTerminal: options.columns !== undefined,
    columns: options.columns,
    write: async (text) => {
      if (name === 'stdout') options.onWrite?.(text);
      kept[name] += text;
    },
  });
  let clock = 0;
  const questions: string[] = [];
  const answers = [...(options.answers ?? [])];
  let asking = false;
  const ask = async (question: string): Promise<string | undefined> => {
    if (asking) throw new Error('two questions at the same time');
    asking = true;
    questions.push(question);
    // A person takes longer than a turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    asking = false;
    return answers.shift();
  };
  const io: CliIo = {
    stdin: typeof options.stdin === 'object' ? options.stdin : chunksOf(options.stdin ?? ''),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    ...(options.answers === undefined ? {} : { ask }),
    env: options.env ?? {},
    cwd: options.cwd ?? import.meta.dirname,
    signal: options.signal ?? new AbortController().signal,
    now:
      options.now ??
      (() => {
        clock += 1_000;
        return clock;
      }),
  };
  const code = await main(argv, io);
  return { code, ...kept, questions };
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
