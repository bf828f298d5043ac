import type { Contract } from '@toolgate/core';
import type { DefinitionFault } from './definition-fault.ts';

/** What came of a definition. */
export type Taken = { readonly contract: Contract } | { readonly fault: DefinitionFault };

/** Contracts by the text of their definition, so that a definition that comes again is not compiled again. */
export interface ContractCache {
  /** What was made of the same text before, or what `make` makes of it now. */
  get(text: string, make: () => Taken): Taken;
}

const MAX_ENTRIES = 4_096;
const MAX_CHARACTERS = 16_777_216;

/** A cache that forgets what was not used for longest, and stays within 4,096 definitions and 16 Mi characters. */
export function createContractCache(): ContractCache {
  // In the order of their last use.
  const entries = new Map<string, Taken>();
  let characters = 0;
  return {
    get(text, make) {
      const known = entries.get(text);
      if (known !== undefined) {
        entries.delete(text);
        entries.set(text, known);
        return known;
      }
      const made = make();
      entries.set(text, made);
      characters += text.length;
      for (const oldest of entries.keys()) {
        if (entries.size <= MAX_ENTRIES && characters <= MAX_CHARACTERS) break;
        entries.delete(oldest);
        characters -= oldest.length;
      }
      return made;
    },
  };
}
