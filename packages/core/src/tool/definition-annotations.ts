import { ContractError } from './contract-error.ts';
import { checkDefinitionText } from './definition-text.ts';
import type { ToolAnnotations } from './tool-definition.ts';

const MAX_TITLE_BYTES = 1_024;
const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/**
 * A frozen copy of the hints that are known; others are left out.
 *
 * @throws {@link ContractError} `tool/definition-invalid`
 */
export function takeAnnotations(raw: unknown): ToolAnnotations {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw new ContractError('tool/definition-invalid', 'The annotations of a tool have to be an object.');
  }
  const title: unknown = Reflect.get(raw, 'title');
  const taken: { -readonly [Name in keyof ToolAnnotations]: ToolAnnotations[Name] } = {};
  if (title !== undefined) taken.title = checkDefinitionText('annotations.title', title, MAX_TITLE_BYTES);
  for (const name of HINTS) {
    const hint: unknown = Reflect.get(raw, name);
    if (hint === undefined) continue;
    if (typeof hint !== 'boolean') {
      throw new ContractError('tool/definition-invalid', `The annotation ${name} has to be true or false.`);
    }
    taken[name] = hint;
  }
  return Object.freeze(taken);
}
