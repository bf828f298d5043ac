import { Binding, bind, type Tool } from '@toolgate/core';
import { CliError } from '../cli-error.ts';
import { toDefinitionFault } from '../definitions/definition-fault.ts';
import { loadModuleTools } from '../definitions/load-module.ts';
import { safeText } from '../terminal/safe-text.ts';

/**
 * Binds the tools of modules, in order. A run needs all of them: the first one that cannot be used ends it.
 *
 * @throws CliError `cli/module-unsupported`, `cli/module-invalid`
 */
export async function loadTools(paths: readonly string[]): Promise<readonly Binding[]> {
  const bindings: Binding[] = [];
  for (const path of paths) {
    for (const [index, value] of (await loadModuleTools(path)).entries()) {
      try {
        // `bind` judges whatever it is given.
        bindings.push(value instanceof Binding ? value : bind(value as Tool));
      } catch (error) {
        const { code, message } = toDefinitionFault(error);
        throw new CliError(
          'cli/module-invalid',
          `Tool ${index + 1} of ${safeText(path, 200)} cannot be used: ${safeText(message)} (${code})`,
          { cause: error },
        );
      }
    }
  }
  return bindings;
}
