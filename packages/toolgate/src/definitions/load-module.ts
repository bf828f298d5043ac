import { Binding, bind, isPrivileged, profileOf, type Tool } from '@toolgate/core';
import { CliError } from '../cli-error.ts';
import { safeText } from '../terminal/safe-text.ts';
import type { BoundDefinition } from './bound-definition.ts';
import { toDefinitionFault } from './definition-fault.ts';
import { importModule } from './import-module.ts';

/** The tools that a module exports as `tools`: an array of tools or bindings. */
export async function loadModuleTools(path: string): Promise<readonly unknown[]> {
  const exported = await importModule(path);
  const tools = Object.hasOwn(exported, 'tools') ? exported['tools'] : undefined;
  if (!Array.isArray(tools)) {
    throw new CliError(
      'cli/module-invalid',
      `The module ${safeText(path, 200)} has to export "tools", an array of tools.`,
    );
  }
  return tools;
}

/**
 * Binds the tools of a module. They are the application's own code: trusted, and their profiles count.
 *
 * @throws CliError `cli/module-unsupported`, `cli/module-invalid`
 */
export async function loadModuleDefinitions(path: string): Promise<readonly BoundDefinition[]> {
  return (await loadModuleTools(path)).map((value, index) => bindOwn(value, index));
}

function bindOwn(value: unknown, index: number): BoundDefinition {
  const own = { form: 'toolgate', name: `#${index + 1}`, class: 'unclassified', privileged: false } as const;
  try {
    // `bind` judges whatever it is given.
    const { contract, tool } = value instanceof Binding ? value : bind(value as Tool);
    return {
      ...own,
      name: contract.definition.name,
      class: profileOf(tool).class,
      privileged: isPrivileged(tool),
      contract,
    };
  } catch (error) {
    return { ...own, fault: toDefinitionFault(error) };
  }
}
