import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** The folder of test data that is kept outside of the repository, where there is one. */
export function sharedFolder(): string | undefined {
  const folder = resolve(repository, '..', 'shared');
  return existsSync(folder) ? folder : undefined;
}

/** The folder of one public test suite: in `TOOLGATE_SUITES`, or in the shared folder. */
export function suiteFolder(name: string): string | undefined {
  const shared = sharedFolder();
  const places = [process.env['TOOLGATE_SUITES'], shared === undefined ? undefined : join(shared, 'suites')];
  return places
    .filter((place) => place !== undefined && place !== '')
    .map((place) => join(place ?? '', name))
    .find((folder) => existsSync(folder));
}

/** Prints one line about what a test ran, so that a suite that was absent is never taken for one that passed. */
export function report(line: string): void {
  process.stdout.write(`${line}\n`);
}
