import type { OutputPart } from '@toolgate/core';
import { expect, test } from 'vitest';
import { GROWTH, growth } from '../../../../test/support/growth.ts';
import { shownStructure } from './shown-structure.ts';

const text = (said: string): OutputPart => ({ kind: 'text', text: said });
const rows = (size: number): unknown => Array.from({ length: size }, (_, at) => ({ at }));
/** Lists of one item in each other, around a value. */
const nested = (value: unknown, depth: number): unknown => (depth === 0 ? value : nested([value], depth - 1));
const image = (at: number): OutputPart => ({ kind: 'image', mediaType: 'image/png', data: `image${at}` });

test.each<[string, (size: number) => readonly [unknown, readonly OutputPart[]]]>([
  ['flat', (size) => [{ rows: rows(size) }, [text('[1]')]]],
  ['nested', (size) => [{ rows: nested(rows(size), 50) }, [text('[1]')]]],
  [
    'beside a text that says it',
    (size) => [{ rows: rows(size) }, [text(JSON.stringify({ rows: rows(size) }))]],
  ],
  [
    'with a long name beside many texts',
    (size) => [{ ['name'.repeat(size)]: 1 }, Array.from({ length: size / 10 }, () => text('[1]'))],
  ],
  [
    'beside many images',
    (size) => [{ rows: rows(size) }, Array.from({ length: Math.min(size, 1_000) }, (_, at) => image(at))],
  ],
  ['of base64', (size) => [{ bytes: 'QUJDabc123+/'.repeat(size) }, [text('Saved.')]]],
  [
    'of texts that are nearly base64',
    (size) => [{ bytes: `${'QUJDabc123+/'.repeat(size)}!` }, [text('Saved.')]],
  ],
])('a structure %s is compared in time that grows with it', (_what, make) => {
  const [small, large] = [make(1_000), make(1_000 * GROWTH)];
  expect(growth((size) => void shownStructure(...(size === 1_000 ? small : large)), 1_000)).toBeLessThan(
    GROWTH * 4,
  );
});

test('a structure that is nested deeper than anybody writes is not shown', () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
  expect(shownStructure(deep, [text('a')])).toBeUndefined();
});
