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

/** The names that the core exports, types included. */
const exported = new Set(
  [...(readRepositoryFile('packages/core/src/index.ts') ?? '').matchAll(/export (?:type )?\{([^}]*)\}/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim().replace(/^type /, '')),
);

test('the map has its three parts in full', () => {
  expect(rows.length).toBeGreaterThan(80);
});

test('every promise names symbols that the core exports, and the file that keeps it', () => {
  const faults = rows.flatMap(({ promise, symbols, file }) => [
    ...(symbols.length === 0 ? [`${promise}: no symbol`] : []),
    ...symbols.filter((name) => !exported.has(name)).map((name) => `${promise}: ${name} is not exported`),
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
