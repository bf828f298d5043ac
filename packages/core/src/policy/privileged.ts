import type { Tool } from '../tool/tool.ts';
import { readDeclared } from './declared.ts';
import { PolicyError } from './policy-error.ts';

/**
 * Whether the tool is privileged: it runs only where a scope allows it by name. Not declared means no.
 *
 * @throws {@link PolicyError} `policy/privileged-invalid` when it is declared and not a boolean.
 */
export function isPrivileged<Context>(tool: Tool<Context>): boolean {
  const declared = readDeclared(tool, 'privileged', 'policy/privileged-invalid');
  if (declared === undefined) return false;
  if (typeof declared.value === 'boolean') return declared.value;
  throw new PolicyError(
    'policy/privileged-invalid',
    'A tool declares "privileged" as true or false; leave it out for false.',
  );
}
