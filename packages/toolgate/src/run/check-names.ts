import type { Binding } from '@toolgate/core';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { safeText } from '../terminal/safe-text.ts';
import type { RunPlan } from './run-plan.ts';

/** Tools that are listed for who named another one. */
const MAX_LISTED = 20;

/**
 * Says which names of `--allow` and `--deny` no tool has: one that is misspelt would close a gate in nobody's eyes but
 * those of who wrote it. Servers may hold tools back, so that with them it is a note.
 *
 * @throws CliError `cli/tool-unknown`
 */
export async function checkNames(
  { allow, deny, mcp = [] }: Pick<RunPlan, 'allow' | 'deny' | 'mcp'>,
  tools: readonly Binding[],
  io: CliIo,
): Promise<void> {
  const names = new Set(tools.map(({ contract }) => contract.definition.name));
  const unknown = [...new Set([...deny, ...allow])].filter((name) => !names.has(name));
  if (unknown.length === 0) return;
  const listed = [...names].slice(0, MAX_LISTED).join(', ');
  const more = names.size > MAX_LISTED ? ', …' : '';
  const text = `--allow or --deny names ${safeText(unknown.join(', '), 200)}, and there is no such tool; there are: ${listed}${more}.`;
  if (mcp.length === 0) throw new CliError('cli/tool-unknown', text);
  await io.stderr.write(`note  ${text}\n`);
}
