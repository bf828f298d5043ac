import { describe, expect, test } from 'vitest';
import { jsonOutput, textOutput, toolOutput } from '../tool/make-output.ts';
import { redactOutput } from './redact-output.ts';
import { createRedactor, type Redactor, type RedactorOptions } from './redactor.ts';

describe('a redactor', () => {
  test.each([
    ['Authorization: Bearer sk-test-123', 'Authorization: Bearer [redacted]', 1],
    ['{"authorization":"Bearer sk-test-123"}', '{"authorization":"Bearer [redacted]"}', 1],
    ['basic dXNlcjpwYXNz and token abc_DEF_12345', 'basic [redacted] and token [redacted]', 2],
    ['postgres://app:pw@db.internal/prod', 'postgres://app:[redacted]@db.internal/prod', 1],
    [
      'https://a:b@x.example and https://c:d@y.example',
      'https://a:[redacted]@x.example and https://c:[redacted]@y.example',
      2,
    ],
    [
      'Basic authentication failed; refresh the token carefully',
      'Basic authentication failed; refresh the token carefully',
      0,
    ],
    ['https://example.org:8080/path?q=a@b', 'https://example.org:8080/path?q=a@b', 0],
    ['nothing here', 'nothing here', 0],
  ])('%j becomes %j', (text, redacted, count) => {
    expect(createRedactor()(text)).toEqual({ text: redacted, count });
  });

  test('replaces configured secrets exactly, the longest first', () => {
    const redact = createRedactor({ secrets: ['abcd', 'abcdef', 'a.c$(x)'], credentials: false });
    expect(redact('abcdef abcd ABCD a.c$(x) abc$(x)')).toEqual({
      text: '[redacted] [redacted] ABCD [redacted] abc$(x)',
      count: 3,
    });
    expect(redact('Bearer sk-test-123').count).toBe(0);
  });

  test.each([
    ['as it is', (secret: string) => secret],
    ['within JSON', (secret: string) => JSON.stringify({ key: secret })],
    ['within JSON within JSON', (secret: string) => JSON.stringify({ key: JSON.stringify({ secret }) })],
    ['within JSON with slashes escaped', (secret: string) => JSON.stringify([secret]).replaceAll('/', '\\/')],
    [
      'in an address',
      (secret: string) => `https://x.example/?key=${encodeURIComponent(secret.toWellFormed())}&a=1`,
    ],
  ])('finds a secret %s', (_where, write) => {
    const secrets = ['-----BEGIN KEY-----\nMII/k+==\n-----END KEY-----', 'pa"ss\\wo/rd 1', '\ud800lone'];
    const redact = createRedactor({ secrets, credentials: false });
    for (const secret of secrets) {
      const { text, count } = redact(write(secret));
      expect(count).toBe(1);
      expect(text).toBe(write('SECRET').replace('SECRET', '[redacted]'));
    }
  });

  test.each([
    ['percent-encoded in small letters', '%c3%a9a%2fb%26c+d%3c%22'],
    ['percent-encoded in both', '%C3%a9a%2Fb%26c%20d%3C%22'],
    ['percent-encoded with its slashes left', '%C3%A9a/b%26c%20d%3C%22'],
    ['in JSON of ASCII alone', '\\u00e9a/b&c d<\\"'],
    ['in JSON that may stand in HTML', 'éa/b\\u0026c d\\u003c\\"'],
    ['in JSON with everything escaped', '\\u00E9a\\/b\\u0026c d\\u003C\\u0022'],
    ['in JSON of ASCII within JSON', '\\\\u00e9a/b\\\\u0026c d\\\\u003c\\\\u0022'],
  ])('finds a secret as other programs write it: %s', (_where, written) => {
    const redact = createRedactor({ secrets: ['éa/b&c d<"'], credentials: false });
    expect(redact(`key=${written};`)).toEqual({ text: 'key=[redacted];', count: 1 });
    expect(redact(`key=${written.replace('b', 'B')};`).count).toBe(0);
  });

  test('looks for a secret of many backslashes in one way only', () => {
    const redact = createRedactor({ secrets: [`a${'\\'.repeat(60)}b`], credentials: false });
    expect(redact(`a${'\\'.repeat(121)}c`).count).toBe(0);
    expect(redact(`a${'\\'.repeat(120)}b`).count).toBe(1);
  });

  test.each([['abc'], [''], [5], [undefined]])('refuses the secret %j', (secret) => {
    expect(() => createRedactor({ secrets: [secret as string] })).toThrow(TypeError);
  });

  test('refuses secrets by another name, under which none would be replaced', () => {
    expect(() => createRedactor({ secret: ['hunter22'] } as RedactorOptions)).toThrow(TypeError);
  });

  test('keeps no state between texts', () => {
    const redact = createRedactor({ secrets: ['hidden'] });
    expect([redact('hidden'), redact('hidden')]).toEqual(new Array(2).fill({ text: '[redacted]', count: 1 }));
  });

  test.each([
    ['letters', ''],
    ['a token', 'sk-a1B'],
    ['a word of authorization', 'Bearer a1'],
    ['a signature of an address', 'https://x.test/?sig='],
    ['a key in one line', '-----BEGIN PRIVATE KEY-----\n'],
  ])('reads %s of many megabytes', (_what, begin) => {
    const redact = createRedactor({ secrets: ['super-secret-value'] });
    const text = `${begin}${'aB1c'.repeat(4_000_000)}\nsuper-secret-value\n`;
    const redacted = redact(text);
    expect(redacted.text.endsWith('\n[redacted]\n')).toBe(true);
    expect(redacted.count).toBe(begin === '' ? 1 : 2);
  });

  test('reads text that looks like many beginnings in linear time', () => {
    // A quadratic pattern would need 10^11 steps for these and run into the test's time-out.
    for (const piece of ['bearer \t', 'token ', '://', '://a:', '://:']) {
      expect(createRedactor()(piece.repeat(300_000)).text.length).toBeGreaterThan(0);
    }
  });
});

describe('a redacted output', () => {
  const redact = createRedactor({ secrets: ['hunter2'] });

  test('has no secret in any text that a model can read', () => {
    const { output, count } = redactOutput(
      toolOutput({
        parts: [
          { kind: 'text', text: 'hunter2' },
          { kind: 'json', value: { hunter2: ['hunter2', 1, null, { deep: 'x hunter2 y' }] } },
          { kind: 'image', mediaType: 'image/png', data: 'iVBORw0KGghunter2AAA' },
          { kind: 'file', mediaType: 'text/plain', name: 'hunter2', uri: 'x:hunter2', text: 'hunter2' },
          { kind: 'resource-link', uri: 'x:hunter2', description: 'hunter2' },
        ],
        structured: { password: 'hunter2' },
      }),
      redact,
    );
    expect(count).toBe(10);
    expect(JSON.stringify(output).replace('iVBORw0KGghunter2AAA', '')).not.toContain('hunter2');
    expect(output.parts[2]).toEqual({ kind: 'image', mediaType: 'image/png', data: 'iVBORw0KGghunter2AAA' });
  });

  test('finds a secret that JSON text would write in another way', () => {
    const tricky = createRedactor({ secrets: ['a"b\\c'] });
    const { output, count } = redactOutput(jsonOutput({ value: 'x a"b\\c' }), tricky);
    expect(count).toBe(1);
    expect(output.text()).toBe('{"value":"x [redacted]"}');
  });

  test('is the very same output when there is nothing to replace', () => {
    const output = jsonOutput({ a: ['clean', 1] });
    expect(redactOutput(output, redact)).toEqual({ output, count: 0 });
    expect(redactOutput(output, redact).output).toBe(output);
  });

  test('counts a change that the redactor did not count', () => {
    const sly: Redactor = () => ({ text: 'other', count: 0 });
    expect(redactOutput(textOutput('text'), sly).count).toBe(1);
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['gives nothing', () => undefined],
    ['gives no text', () => ({ count: 1 })],
    ['gives no count', () => ({ text: 'x' })],
    ['gives a negative count', () => ({ text: 'x', count: -1 })],
  ])('is none when the redactor %s', (_name, broken) => {
    expect(() => redactOutput(textOutput('text'), broken as Redactor)).toThrow();
  });
});
