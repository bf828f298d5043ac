import type { GateEvent, GateObserver } from '@toolgate/core';
import type { CliIo } from '../terminal/cli-io.ts';
import { safeText } from '../terminal/safe-text.ts';

/** What the model is not told, for the person who asked for it with `--debug`. */
export function printCauses(io: CliIo): GateObserver {
  return (event: GateEvent) => {
    if (event.kind !== 'call-end' || !(event.cause instanceof Error)) return;
    void io.stderr.write(`${event.tool}: ${safeText(event.cause.stack ?? event.cause.message, 4_000)}\n`);
  };
}
