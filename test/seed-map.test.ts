import { expect, test } from 'vitest';
import { citedTests, isThere, readRepositoryFile, tableRows } from './cases/cited-tests.ts';

const rows = tableRows(readRepositoryFile('docs/seed-map.md') ?? '').map(
  ([promise = '', symbols = '', where = '', shown = '']) => ({
    promise,
    symbols: [...symbols.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    file: where.replaceAll('`', ''),
    cited: citedTests(shown),
  }),
);

/** The names that a package exports, types included. */
function exportsOf(folder: string): readonly string[] {
  const index = readRepositoryFile(`packages/${folder}/src/index.ts`) ?? '';
  return [...index.matchAll(/export (?:type )?\{([^}]*)\}/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim().replace(/^type /, ''));
}

const exported = new Map(['core', 'control'].map((folder) => [folder, new Set(exportsOf(folder))]));

test('the map has its four parts in full', () => {
  expect(rows.length).toBeGreaterThan(115);
});

test('every promise names symbols that the package of its file exports, and the file that keeps it', () => {
  const faults = rows.flatMap(({ promise, symbols, file }) => [
    ...(symbols.length === 0 ? [`${promise}: no symbol`] : []),
    ...symbols
      .filter((name) => exported.get(file.split('/')[1] ?? '')?.has(name) !== true)
      .map((name) => `${promise}: ${name} is not exported`),
    ...(readRepositoryFile(file) === undefined ? [`${promise}: ${file} is not there`] : []),
  ]);
  expect(faults).toEqual([]);
});

test('every promise is shown by a test that exists', () => {
  const faults = rows.flatMap(({ promise, cited }) =>
    cited.length === 0
      ? [`${promise}: no test`]
      : cited.filter((one) => !isThere(one)).map(({ file, title }) => `${promise}: ${file} › ${title}`),
  );
  expect(faults).toEqual([]);
});
