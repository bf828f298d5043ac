import { takingThrown } from '../taking-thrown.ts';
import type { DurableHost } from './port.ts';

/** A host over a store, a codec and an id maker that may throw anything: what comes through its doors ends no process. */
export function takingHost(host: DurableHost): DurableHost {
  return {
    start: (...given) => takingThrown(() => host.start(...given)),
    resolve: (...given) => takingThrown(() => host.resolve(...given)),
    findWait: (...given) => takingThrown(() => host.findWait(...given)),
    cancel: (...given) => takingThrown(() => host.cancel(...given)),
    status: (...given) => takingThrown(() => host.status(...given)),
    record: (...given) => takingThrown(() => host.record(...given)),
    pending: (...given) => takingThrown(() => host.pending(...given)),
    finished: (...given) => takingThrown(() => host.finished(...given)),
    close: () => takingThrown(() => host.close()),
  };
}
