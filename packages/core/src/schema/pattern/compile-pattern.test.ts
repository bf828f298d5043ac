import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPatternCompiler, maxForeignPatternLength } from './compile-pattern.ts';

const unsafe = '^(a+)+$';

describe('createPatternCompiler', () => {
  test('a pattern of own code runs natively whatever it costs', () => {
    const compile = createPatternCompiler({ trust: 'own' });
    const pattern = compile(unsafe, '/pattern');
    expect([pattern.mode, pattern.test('aaa'), pattern.test('ab')]).toEqual(['unicode', true, false]);
  });

  test('a pattern that only the legacy syntax allows runs without the u flag', () => {
    const pattern = createPatternCompiler({ trust: 'foreign' })(String.raw`^\_[\w\-]$`, '');
    expect([pattern.mode, pattern.test('_-'), pattern.test('\\_-')]).toEqual(['legacy', true, false]);
  });

  test('a foreign pattern that is proved linear runs natively', () => {
    const pattern = createPatternCompiler({ trust: 'foreign' })('^[a-z]+$', '');
    expect([pattern.mode, pattern.test('abc'), pattern.test('aBc')]).toEqual(['unicode', true, false]);
  });

  test('a foreign pattern without a proof is refused at its place', () => {
    const compile = createPatternCompiler({ trust: 'foreign' });
    expect(() => compile(unsafe, '/properties/q/pattern')).toThrow(
      expect.objectContaining({ code: 'schema/pattern-unsafe', pointer: '/properties/q/pattern' }),
    );
  });

  test('a foreign pattern without a proof goes to the injected engine, and only such a one', () => {
    const taken: string[] = [];
    const patternEngine = {
      compile: (source: string) => {
        taken.push(source);
        return { test: (text: string) => text === 'from the engine' };
      },
    };
    const compile = createPatternCompiler({ trust: 'foreign', patternEngine });
    const pattern = compile(unsafe, '');
    expect([pattern.mode, pattern.test('from the engine'), pattern.test('aaa')]).toEqual([
      'engine',
      true,
      false,
    ]);
    expect(compile('^a$', '').mode).toBe('unicode');
    expect(taken).toEqual([unsafe]);
  });

  test('what the engine throws is kept as cause of a refusal', () => {
    const cause = new Error('no look-around');
    const patternEngine = {
      compile: () => {
        throw cause;
      },
    };
    const compile = createPatternCompiler({ trust: 'foreign', patternEngine });
    expect(() => compile(unsafe, '/pattern')).toThrow(
      expect.objectContaining({ code: 'schema/pattern-unsafe', pointer: '/pattern', cause }),
    );
  });

  test.each(['own', 'foreign'] as const)(
    'what is no regular expression is refused at its place, trust %s',
    (trust) => {
      const compile = createPatternCompiler({ trust });
      for (const source of ['(', '(?i)x', 'a{2,1}']) {
        expect(() => compile(source, '/p')).toThrow(
          expect.objectContaining({ code: 'schema/pattern-invalid', pointer: '/p' }),
        );
      }
    },
  );

  test('no error message quotes the pattern', () => {
    const compile = createPatternCompiler({ trust: 'foreign' });
    for (const source of ['(secret', '^(secret|secret)*$', 's'.repeat(maxForeignPatternLength + 1)]) {
      expect(() => compile(source, '')).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('secret') }),
      );
    }
  });

  test('a foreign pattern above the length limit is refused even when it is harmless', () => {
    const compile = createPatternCompiler({ trust: 'foreign' });
    expect(() => compile('a'.repeat(maxForeignPatternLength + 1), '')).toThrow(
      expect.objectContaining({ code: 'schema/pattern-unsafe' }),
    );
    expect(createPatternCompiler({ trust: 'own' })('a'.repeat(maxForeignPatternLength + 1), '').mode).toBe(
      'unicode',
    );
  });

  test('equal sources are compiled once', () => {
    const compile = createPatternCompiler({ trust: 'foreign' });
    expect(compile('^a$', '/a')).toBe(compile('^a$', '/b'));
  });

  test('many costly patterns of one schema exhaust a shared budget, after which none is proved', () => {
    const compile = createPatternCompiler({ trust: 'foreign' });
    const compiles = (source: string): boolean => {
      try {
        return compile(source, '').mode === 'unicode';
      } catch {
        return false;
      }
    };
    const costly = Array.from({ length: 60 }, (_, index) =>
      compiles(`^[a-z${index}](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\\.[a-z](?:[a-z-]{0,61}[a-z])?)*$`),
    );
    expect([costly[0], costly.at(-1), compiles('^a$')]).toEqual([true, false, false]);
  });

  test('the answer is that of the native engine', () => {
    const compile = createPatternCompiler({ trust: 'foreign' });
    const sources = ['^a', 'b$', '[^c]d?', String.raw`\s`, '^.$', String.raw`^\p{Lu}`];
    fc.assert(
      fc.property(fc.constantFrom(...sources), fc.string({ unit: 'binary' }), (source, text) => {
        expect(compile(source, '').test(text)).toBe(new RegExp(source, 'u').test(text));
      }),
    );
  });
});
