import { afterAll, describe, expect, test } from 'vitest';
import { runMain } from '../../test-support/run-main.ts';
import { createTemporaryFolder } from '../../test-support/temporary-folder.ts';

const folder = createTemporaryFolder();
afterAll(() => folder.remove());

const definition = (name: string): object => ({
  name,
  description: '',
  inputSchema: {
    type: 'object',
    properties: { amount: { type: 'integer', maximum: 10 }, unit: { type: 'string', default: 'eur' } },
    required: ['amount'],
    additionalProperties: false,
  },
});
const tools = folder.write('tools.json', [
  definition('pay'),
  definition('pay.now'),
  { type: 'web_search', name: 'web' },
  { name: 'bad', inputSchema: 3 },
]);

const call = (args: string, ...more: readonly string[]) =>
  runMain(['call', tools, 'pay', '--args', args, ...more]);
const callJson = async (args: string) => {
  const run = await call(args, '--json');
  expect(run.stdout.trimEnd()).not.toContain('\n');
  return { code: run.code, ...(JSON.parse(run.stdout) as Record<string, unknown>) };
};

describe('toolgate call, admitted', () => {
  test('gives the digests, the arguments and what defaults filled in', async () => {
    expect(await callJson('{"amount": 5}')).toEqual({
      code: 0,
      ok: true,
      tool: 'pay',
      contractDigest: expect.stringMatching(/^sha256:/u),
      invocationDigest: expect.stringMatching(/^sha256:/u),
      filled: ['/unit'],
      arguments: { amount: 5, unit: 'eur' },
    });
  });

  test('the digest depends on what the arguments say, not on how they are written', async () => {
    const digests = await Promise.all(
      ['{"amount":5}', ' {"unit":"eur","amount":5.0} ', '{"amount":5,"unit":"usd"}'].map(async (args) => {
        const { invocationDigest } = (await callJson(args)) as unknown as {
          readonly invocationDigest: string;
        };
        return invocationDigest;
      }),
    );
    expect(digests[1]).toBe(digests[0]);
    expect(digests[2]).not.toBe(digests[0]);
  });

  test('as text has one fact in each line', async () => {
    const { code, stdout } = await call('{"amount":5}');
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/u)[0])).toEqual([
      'admitted',
      'invocation',
      'contract',
      'filled',
      'arguments',
      '',
    ]);
    expect(stdout).toContain('arguments   {"amount":5,"unit":"eur"}');
  });

  test('a name with dots is called by that name', async () => {
    expect((await runMain(['call', tools, 'pay.now', '--args', '{"amount":1}'])).code).toBe(0);
  });
});

describe('toolgate call, refused', () => {
  test.each([
    ['a member written twice', '{"amount":1,"amount":1000}', 'arguments_malformed', 'json/duplicate-member'],
    ['a text that is cut off', '{"amount":', 'arguments_malformed', 'json/unexpected-end'],
    ['two texts', '{"amount":1}{}', 'arguments_malformed', 'json/trailing-data'],
    ['an inexact integer', '{"amount":9007199254740993}', 'arguments_malformed', 'json/inexact-integer'],
    ['half a pair', '{"unit":"\\ud800"}', 'arguments_malformed', 'json/lone-surrogate'],
    ['an array', '[1]', 'arguments_not_object', undefined],
    ['a text in a text', '"{\\"amount\\":1}"', 'arguments_not_object', undefined],
    ['nesting without an end', `{"amount":${'['.repeat(1_000)}`, 'arguments_too_deep', 'json/too-deep'],
    [
      'more than a mebibyte',
      `{"amount":1,"unit":"${'x'.repeat(1_048_577)}"}`,
      'arguments_too_large',
      'json/too-large',
    ],
    ['no arguments where some are required', '', 'arguments_rejected', undefined],
    ['a number as text', '{"amount":"5"}', 'arguments_rejected', undefined],
  ])('%s', async (_what, args, reason, jsonCode) => {
    const refusal = (await callJson(args)) as { readonly json?: { readonly code: string } };
    expect(refusal).toMatchObject({ code: 1, ok: false, tool: 'pay', reason, text: expect.any(String) });
    expect(refusal.json?.code).toBe(jsonCode);
  });

  test('issues come with their places', async () => {
    expect(await callJson('{"amount":11,"extra":1}')).toMatchObject({
      issues: expect.arrayContaining([
        expect.objectContaining({ pointer: '/amount', keyword: 'maximum' }),
        expect.objectContaining({ pointer: '', keyword: 'additionalProperties' }),
      ]),
    });
  });

  test('a fault of the text comes with its place', async () => {
    expect(await callJson('{"amount":1,\n "amount":2}')).toMatchObject({
      json: { code: 'json/duplicate-member', pointer: '/amount', offset: 14, line: 2, column: 2 },
    });
  });

  test('as text has the reason first, and nothing of the input that could write to a terminal', async () => {
    const { code, stdout } = await call('{"amount":"\u009b31m\\u001b[2J"}');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^refused {2}pay {2}arguments_rejected\n/u);
    expect(stdout).not.toMatch(/[^\P{C}\n]/u);
  });
});

describe('what call is given', () => {
  test('arguments from a file, and from standard input', async () => {
    const path = folder.write('args.json', { amount: 2 });
    expect((await call(`@${path}`)).code).toBe(0);
    const { code } = await runMain(['call', tools, 'pay', '--args', '-'], { stdin: '{"amount":3}' });
    expect(code).toBe(0);
  });

  test('a byte order mark of a file is refused, not removed', async () => {
    const path = folder.write('bom.json', '\ufeff{"amount":2}');
    expect(await callJson(`@${path}`)).toMatchObject({ ok: false, json: { code: 'json/bom' } });
  });

  test('definitions from standard input', async () => {
    const { code } = await runMain(['call', '-', 'pay', '--args', '{"amount":3}'], {
      stdin: JSON.stringify([definition('pay')]),
    });
    expect(code).toBe(0);
  });

  test.each([
    ['both from standard input', ['-', 'pay', '--args', '-'], 2, 'cli/usage'],
    ['no arguments', [tools, 'pay'], 2, 'cli/usage'],
    ['an unknown name', [tools, 'Pay', '--args', '{}'], 1, 'cli/tool-unknown'],
    ['a name of a prototype', [tools, 'constructor', '--args', '{}'], 1, 'cli/tool-unknown'],
    ['a tool of the provider', [tools, 'web', '--args', '{}'], 1, 'cli/definition-unknown'],
    ['a tool without a contract', [tools, 'bad', '--args', '{}'], 1, 'cli/definition-unknown'],
    ['a file that is not there', [tools, 'pay', '--args', '@nowhere.json'], 1, 'cli/input-unreadable'],
  ])('%s is one line with a code', async (_what, argv, exitCode, code) => {
    const run = await runMain(['call', ...argv]);
    expect([run.code, run.stdout]).toEqual([exitCode, '']);
    expect(run.stderr).toMatch(/^toolgate: [^\n]+\n$/u);
    expect(run.stderr).toContain(`(${code})`);
  });

  test('a name that two tools have is not guessed at', async () => {
    const stdin = JSON.stringify([definition('pay'), definition('pay')]);
    expect((await runMain(['call', '-', 'pay', '--args', '{}'], { stdin })).stderr).toContain(
      'More than one',
    );
  });

  test('an argument file that is no text is refused', async () => {
    const path = folder.write('bytes.json', Uint8Array.of(0xff, 0xfe));
    expect((await call(`@${path}`)).stderr).toContain('(cli/input-not-text)');
  });
});
