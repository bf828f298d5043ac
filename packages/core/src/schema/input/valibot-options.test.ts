import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { compileSchema } from '../compile-schema.ts';
import { readInput } from './read-input.ts';

const text = v.string();
const cases = [
  ['isoTime', v.pipe(text, v.isoTime()), ['10:20', '23:59'], ['10:20:30', '24:00', 'x']],
  ['isoTimeSecond', v.pipe(text, v.isoTimeSecond()), ['10:20:30'], ['10:20', '10:20:30Z']],
  [
    'isoDateTime',
    v.pipe(text, v.isoDateTime()),
    ['2026-01-31T10:20'],
    ['2026-01-31', '2026-01-31T10:20:30Z'],
  ],
  ['isoTimestamp', v.pipe(text, v.isoTimestamp()), ['2026-01-31T10:20:30Z'], ['2026-01-31T10:20']],
  ['isoDate', v.pipe(text, v.isoDate()), ['2026-01-31'], ['2026-01-31T10:20']],
] as const;

describe('a time of Valibot', () => {
  test.each(cases)('that is %s is advertised so that it can be written', (_, schema, right, wrong) => {
    const { json, validate } = readInput(toStandardJsonSchema(v.object({ at: schema })));
    const advertised = compileSchema(json);
    for (const at of right) {
      expect([at, advertised.check({ at }), validate?.({ at }).kind]).toEqual([at, true, 'valid']);
    }
    for (const at of wrong) expect([at, advertised.check({ at })]).toEqual([at, false]);
  });

  test('keeps what is said of it besides, within lists and options too', () => {
    const at = v.optional(v.array(v.pipe(text, v.description('When it begins.'), v.isoTime())));
    const { json } = readInput(toStandardJsonSchema(v.object({ at })));
    expect(json).toMatchObject({
      properties: { at: { items: { description: 'When it begins.', pattern: expect.any(String) } } },
    });
    expect(JSON.stringify(json)).not.toContain('format');
  });
});
