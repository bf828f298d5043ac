import { createJournalHost, type EngineConfig } from './journal-host.ts';
import { createMemoryStore } from './memory-store.ts';
import type { DurableHost } from './port.ts';

/** Durable runs without durability: everything of an engine but the disk. For tests, and for runs that may be lost. */
export function createMemoryEngine(config: EngineConfig): DurableHost {
  return createJournalHost(createMemoryStore(), config);
}
