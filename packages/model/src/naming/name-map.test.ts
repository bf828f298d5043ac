import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROTOCOLS } from '../call/protocol.ts';
import { createNameMap, NAME_RULES } from './name-map.ts';

const LEGAL = {
  'openai-chat': /^[a-zA-Z0-9_-]{1,64}$/,
  'openai-responses': /^[a-zA-Z0-9_-]{1,64}$/,
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/,
  gemini: /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/,
} as const;

const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 90 }),
  fc.stringMatching(/^[a-c./_-]{0,4}$/),
  fc.stringMatching(/^[a-z]{60,70}$/),
  fc.constantFrom('', '\ud800', '__proto__', 'constructor', 'calendar.updateEvent', '名前'),
);

describe('a name map', () => {
  test('maps the dotted, slashed and over-long names of real servers to names that every wire accepts', () => {
    const names = [
      'calendar.updateEvent',
      'gmail.send',
      'user-profile/update',
      'x'.repeat(120),
      'plain_name',
    ];
    for (const protocol of PROTOCOLS) {
      const map = createNameMap(names, NAME_RULES[protocol]);
      for (const name of names) {
        expect(map.toWire(name)).toMatch(LEGAL[protocol]);
        expect(map.fromWire(map.toWire(name))).toBe(name);
      }
      expect(map.toWire('plain_name')).toBe('plain_name');
    }
  });

  test('leaves a dotted name alone where the wire accepts dots', () => {
    expect(createNameMap(['a.b'], NAME_RULES.gemini).toWire('a.b')).toBe('a.b');
  });

  test('keeps the readable part of a name and adds the same hash in every run', () => {
    const wireName = createNameMap(['gmail.send'], NAME_RULES.anthropic).toWire('gmail.send');
    expect(wireName).toMatch(/^gmail_send_[0-9a-f]{12}$/);
    expect(createNameMap(['other', 'gmail.send', 'a b'], NAME_RULES.anthropic).toWire('gmail.send')).toBe(
      wireName,
    );
  });

  test('gives another alias when somebody offers the alias of another tool as a name', () => {
    const alias = createNameMap(['gmail.send'], NAME_RULES.anthropic).toWire('gmail.send');
    const map = createNameMap(['gmail.send', alias], NAME_RULES.anthropic);
    expect(map.toWire(alias)).toBe(alias);
    expect(map.toWire('gmail.send')).not.toBe(alias);
    expect(map.fromWire(alias)).toBe(alias);
  });

  test('knows no name that it did not give out', () => {
    const map = createNameMap(['a.b'], NAME_RULES.anthropic);
    expect(map.fromWire('a.b')).toBeUndefined();
    expect(map.fromWire('toString')).toBeUndefined();
  });

  test.each(PROTOCOLS)(
    '%s: every list of names maps to distinct legal names and back, in any order',
    (protocol) => {
      fc.assert(
        fc.property(
          fc.array(anyName, { maxLength: 12 }),
          fc.array(anyName, { maxLength: 3 }),
          (names, later) => {
            const map = createNameMap(names, NAME_RULES[protocol]);
            const all = [...new Set([...names, ...later])];
            const wireNames = all.map((name) => map.toWire(name));
            expect(new Set(wireNames).size).toBe(all.length);
            for (const wireName of wireNames) expect(wireName).toMatch(LEGAL[protocol]);
            expect(wireNames.map((wireName) => map.fromWire(wireName))).toEqual(all);
            const reversed = createNameMap([...names].reverse(), NAME_RULES[protocol]);
            for (const name of names) expect(reversed.toWire(name)).toBe(map.toWire(name));
          },
        ),
      );
    },
  );

  test('an accepted name keeps itself unless an alias that came first has it', () => {
    fc.assert(
      fc.property(fc.array(anyName), (names) => {
        const map = createNameMap(names, NAME_RULES.anthropic);
        for (const name of names) if (LEGAL.anthropic.test(name)) expect(map.toWire(name)).toBe(name);
      }),
    );
  });
});
