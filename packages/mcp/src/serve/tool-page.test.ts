import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toolPage } from './tool-page.ts';

const named = (count: number) => Array.from({ length: count }, (_each, index) => ({ name: `tool-${index}` }));

test('the pages of a list, one after the other, are the list', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.integer({ min: 1, max: 20 }), (count, pageSize) => {
      const items = named(count);
      const seen: unknown[] = [];
      let pages = 0;
      let page = toolPage(items, undefined, pageSize);
      while (page !== undefined) {
        pages += 1;
        expect(page.items.length).toBeLessThanOrEqual(pageSize);
        seen.push(...page.items);
        page = page.nextCursor === undefined ? undefined : toolPage(items, page.nextCursor, pageSize);
      }
      expect(seen).toEqual(items);
      expect(pages).toBe(Math.max(1, Math.ceil(count / pageSize)));
    }),
  );
});

describe('there is no page for', () => {
  const items = named(10);
  const cursor = toolPage(items, undefined, 4)?.nextCursor;
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const mark = (JSON.parse(Buffer.from(cursor ?? '', 'base64url').toString()) as unknown[])[1];

  test.each([
    ['an empty cursor', ''],
    ['a word', 'next'],
    ['a long one', 'A'.repeat(100_000)],
    ['another place than the begin of a page', encode([3, mark])],
    ['the begin', encode([0, mark])],
    ['a place behind the end', encode([12, mark])],
    ['a fraction', encode([4.5, mark])],
    ['a negative place', encode([-4, mark])],
    ['another list', encode([4, '0000000000000000'])],
    ['an object', encode({ start: 4 })],
  ])('%s', (_name, foreign) => {
    expect(toolPage(items, foreign, 4)).toBeUndefined();
  });

  test('a cursor of the list as it was before a tool came', () => {
    expect(toolPage(items, cursor, 4)?.items).toHaveLength(4);
    expect(toolPage([{ name: 'new' }, ...items], cursor, 4)).toBeUndefined();
  });
});
