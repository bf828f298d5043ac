import { styleText } from 'node:util';
import type { CliIo, TextSink } from './cli-io.ts';

/** A style by what it says, not by its colour. */
export type Tone = 'good' | 'bad' | 'warning' | 'quiet' | 'strong';

/** Puts a text into a style; without colours it gives the text back. */
export type Paint = (tone: Tone, text: string) => string;

const STYLES = {
  good: 'green',
  bad: 'red',
  warning: 'yellow',
  quiet: 'dim',
  strong: 'bold',
} as const satisfies Record<Tone, Parameters<typeof styleText>[0]>;

/** Colours for a sink: on a terminal only, and not with `NO_COLOR` (no-color.org) or a dumb terminal. */
export function createPaint(sink: TextSink, env: CliIo['env']): Paint {
  const plain = !sink.isTerminal || (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  return plain
    ? (_tone, text) => text
    : (tone, text) => styleText(STYLES[tone], text, { validateStream: false });
}
