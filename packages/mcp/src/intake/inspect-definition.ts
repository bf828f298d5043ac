import type { LockedDefinition } from '../lock/lock-file.ts';
import type { Finding } from './finding.ts';

/** What a reviewer should look at in a definition. Takes time linear in it. */
export function inspectDefinition(_definition: LockedDefinition): readonly Finding[] {
  return Object.freeze([]);
}
