import { emptyOutput, Registry } from '@toolgate/core';
import type { BoundDefinition } from '../definitions/bound-definition.ts';
import { type DefinitionFault, toDefinitionFault } from '../definitions/definition-fault.ts';

/** The names that are taken, or look like another one, by the definition that comes later. */
export function nameFaults(
  definitions: readonly BoundDefinition[],
): ReadonlyMap<BoundDefinition, DefinitionFault> {
  const faults = new Map<BoundDefinition, DefinitionFault>();
  const own = new Registry([], { trust: 'own' });
  const foreign = new Registry([], { trust: 'foreign' });
  for (const definition of definitions) {
    const { contract, form } = definition;
    if (contract === undefined) continue;
    try {
      // The rule for names is the registry's; what is registered is never called.
      (form === 'toolgate' ? own : foreign).register({
        definition: () => contract.definition,
        call: async () => emptyOutput(),
      });
    } catch (error) {
      faults.set(definition, toDefinitionFault(error));
    }
  }
  return faults;
}
