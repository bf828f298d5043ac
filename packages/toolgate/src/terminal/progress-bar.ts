import type { CliIo } from './cli-io.ts';
import { formatCount } from './format-count.ts';

/** Shows how far a command is, on the terminal of its errors. */
export interface ProgressBar {
  /** @param done - Bytes read so far. @param label - What has been done, in a few words. */
  update(done: number, label: string): Promise<void>;
  /** Takes the bar away, so that other text can stand in its place. */
  clear(): Promise<void>;
}

const INTERVAL_MS = 100;
const WIDTH = 24;

/**
 * Makes a progress bar. Where the errors go to no terminal it shows nothing.
 *
 * @param totalBytes - `undefined` when nobody knows: then only what was done is shown.
 */
export function createProgressBar(
  io: Pick<CliIo, 'stderr' | 'now'>,
  totalBytes: number | undefined,
): ProgressBar {
  let shown = false;
  let next = 0;
  return {
    async update(done, label) {
      if (!io.stderr.isTerminal || io.now() < next) return;
      next = io.now() + INTERVAL_MS;
      shown = true;
      const part = totalBytes === undefined || totalBytes === 0 ? undefined : Math.min(1, done / totalBytes);
      await io.stderr.write(`\r\u001b[2K${part === undefined ? '' : `${bar(part)} `}${label}`);
    },
    async clear() {
      if (!shown) return;
      shown = false;
      next = 0;
      await io.stderr.write('\r\u001b[2K');
    },
  };
}

function bar(part: number): string {
  const full = Math.round(part * WIDTH);
  return `[${'='.repeat(full)}${' '.repeat(WIDTH - full)}] ${formatCount(Math.floor(part * 100)).padStart(3)}%`;
}
