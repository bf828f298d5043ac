import { pathToFileURL } from 'node:url';
import { CliError } from '../cli-error.ts';
import { safeText } from '../terminal/safe-text.ts';

/**
 * Runs a module that the person at the command line named, and gives what it exports. The only import of a computed
 * path: a tool module is code of the application, like a script that is run.
 *
 * @param edition - Another number runs the module again, as it is by then; the modules that it imports stay.
 * @throws CliError `cli/module-unsupported`, `cli/module-invalid`
 */
export async function importModule(
  path: string,
  edition?: number,
): Promise<Readonly<Record<string, unknown>>> {
  const label = safeText(path, 200);
  const url = pathToFileURL(path);
  if (edition !== undefined) url.searchParams.set('edition', String(edition));
  try {
    return (await import(url.href)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
      throw new CliError(
        'cli/module-unsupported',
        `This Node.js (${process.versions.node}) cannot load ${label}: compile it to .mjs, or use Node.js 22.18 or newer.`,
        { cause },
      );
    }
    const words = cause instanceof Error ? safeText(cause.message, 300) : 'it threw';
    throw new CliError('cli/module-invalid', `The module ${label} cannot be loaded: ${words}`, { cause });
  }
}
