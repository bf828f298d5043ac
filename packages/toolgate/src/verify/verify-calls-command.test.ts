import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { report, sharedFolder } from '../../../../test/support/suites.ts';
import { runMain } from '../../test-support/run-main.ts';

const tool = (name: string): object => ({
  name,
  description: '',
  inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
});
const call = (name: string, text: string, valid?: boolean): object => ({
  name,
  arguments: text,
  ...(valid === undefined ? {} : { valid }),
});
const lines = (...cases: readonly unknown[]): string =>
  cases.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n');

async function verify(stdin: string, ...options: readonly string[]) {
  const run = await runMain(['verify-calls', '-', '--json', ...options], { stdin });
  const records = run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { ...run, findings: records.slice(0, -1), summary: records.at(-1) };
}

describe('toolgate verify-calls', () => {
  test('agrees where a flag is right, and says so in numbers', async () => {
    const { code, findings, summary } = await verify(
      lines(
        {
          id: 'one',
          tools: [tool('a'), tool('b')],
          calls: [call('a', '{"n":1}', true), call('b', '{"n":"1"}', false)],
        },
        { id: 'two', tools: [tool('x.y')], calls: [call('x.y', '{"n":2}', true), call('x.y', '{"n":2}')] },
      ),
    );
    expect([code, findings]).toEqual([0, []]);
    expect(summary).toEqual({
      kind: 'summary',
      cases: 2,
      tools: 3,
      aliased: 1,
      calls: 4,
      admitted: 3,
      refused: 1,
      unchecked: 0,
      agreed: 3,
      disagreed: 0,
      unrecorded: 1,
      invalidCases: 0,
      refusedDefinitions: 0,
    });
  });

  test('lists each disagreement with its place and the reason, and ends with exit code 1', async () => {
    const { code, findings } = await verify(
      lines({ id: 'one', tools: [tool('a')], calls: [call('a', '{"n":1}', false)] }, '', {
        id: 'two',
        tools: [tool('a')],
        calls: [call('a', '{"n":1}', true), call('a', '{"n":1,"n":2}', true), call('b', '{}', true)],
      }),
    );
    expect(code).toBe(1);
    expect(findings).toEqual([
      {
        kind: 'disagreement',
        line: 1,
        case: 'one',
        call: 0,
        tool: 'a',
        recorded: 'invalid',
        verdict: 'admitted',
      },
      expect.objectContaining({
        line: 3,
        case: 'two',
        call: 1,
        verdict: 'refused',
        reason: 'arguments_malformed',
      }),
      expect.objectContaining({
        line: 3,
        case: 'two',
        call: 2,
        verdict: 'refused',
        reason: 'tool_unavailable',
      }),
    ]);
  });

  test.each([
    ['a line that is no JSON', '{"tools":', 'json/unexpected-end'],
    ['a member that is written twice', '{"tools":[],"calls":[],"calls":[]}', 'json/duplicate-member'],
    ['a line that is no object', '7', 'cli/case-invalid'],
    ['a case without tools', '{"calls":[]}', 'cli/case-invalid'],
    ['a case without calls', '{"tools":[]}', 'cli/case-invalid'],
    ['tools that are none', '{"tools":7,"calls":[]}', 'cli/definitions-unknown'],
    ['a call that is no object', '{"tools":[],"calls":[7]}', 'cli/case-invalid'],
    ['a call without a name', '{"tools":[],"calls":[{"arguments":"{}"}]}', 'cli/case-invalid'],
    ['arguments that are no text', '{"tools":[],"calls":[{"name":"a","arguments":{}}]}', 'cli/case-invalid'],
    [
      'a flag that is none',
      '{"tools":[],"calls":[{"name":"a","arguments":"","valid":1}]}',
      'cli/case-invalid',
    ],
    ['a byte order mark', '\ufeff{"tools":[],"calls":[]}', 'json/bom'],
  ])('%s is a finding, and the next line is read', async (_what, line, code) => {
    const good = { id: 'good', tools: [tool('a')], calls: [call('a', '{"n":1}', true)] };
    const run = await verify(lines(line, good));
    expect(run.code).toBe(1);
    expect(run.findings).toEqual([{ kind: 'case-invalid', line: 1, code, message: expect.any(String) }]);
    expect(run.summary).toMatchObject({ cases: 1, agreed: 1, invalidCases: 1 });
  });

  test('a line beyond the limit is a finding, and the next line is read', async () => {
    const good = { id: 'good', tools: [tool('a')], calls: [call('a', '{"n":1}', true)] };
    const { findings, summary } = await verify(
      lines({ pad: 'x'.repeat(1_000) }, good),
      '--max-line-bytes',
      '500',
    );
    expect(findings).toMatchObject([{ line: 1, code: 'cli/line-too-long' }]);
    expect(summary).toMatchObject({ agreed: 1 });
  });

  test('a call of a tool without a contract is unchecked, which is no agreement', async () => {
    const { code, findings, summary } = await verify(
      lines({ id: 'one', tools: [{ name: 'a', inputSchema: 7 }], calls: [call('a', '{}', false)] }),
    );
    expect(code).toBe(1);
    expect(findings).toMatchObject([{ kind: 'definition-refused', tool: 'a', code: 'schema/not-a-schema' }]);
    expect(summary).toMatchObject({ unchecked: 1, agreed: 0, refusedDefinitions: 1 });
  });

  test('of two tools with one name neither is used', async () => {
    const { findings, summary } = await verify(
      lines({ id: 'one', tools: [tool('a'), tool('a')], calls: [call('a', '{"n":1}', true)] }),
    );
    expect(findings).toMatchObject([{ kind: 'definition-refused', code: 'tool/name-duplicate' }]);
    expect(summary).toMatchObject({ unchecked: 1 });
  });

  test('names of a prototype are names like others', async () => {
    const { code } = await verify(
      lines({
        id: '__proto__',
        tools: [tool('constructor'), tool('toString')],
        calls: [
          call('constructor', '{"n":1}', true),
          call('toString', '{}', false),
          call('valueOf', '{}', false),
        ],
      }),
    );
    expect(code).toBe(0);
  });

  test('nothing at all is no finding', async () => {
    expect(await verify('')).toMatchObject({ code: 0, findings: [], summary: { cases: 0 } });
  });

  test('as text has findings as they come and the sums at the end', async () => {
    const { code, stdout } = await runMain(['verify-calls', '-'], {
      stdin: lines('nonsense', {
        id: 'one\u001b[2J',
        tools: [tool('a'), { name: 'b', inputSchema: 1 }],
        calls: [call('a', '{}', true)],
      }),
    });
    expect(code).toBe(1);
    expect(stdout).not.toContain('\u001b');
    const starts = stdout.split('\n').map((line) => line.split('  ')[0]);
    expect(starts.slice(0, 3)).toEqual(['no case', 'definition refused', 'disagreement']);
    expect(stdout).toContain('1 case, 2 tools (0 under an alias), 1 call\n0 admitted, 1 refused\n');
    expect(stdout).toContain('0 agree with what was recorded, 1 disagree');
  });

  test('shows its progress on a terminal only, and takes it away before it writes', async () => {
    const stdin = lines({ id: 'one', tools: [tool('a')], calls: [call('a', '{"n":1}', true)] }, '');
    const seen = await runMain(['verify-calls', '-'], { stdin, columns: 80 });
    expect(seen.stderr).toBe('\r\u001b[2K1 case\r\u001b[2K');
    expect((await runMain(['verify-calls', '-'], { stdin })).stderr).toBe('');
  });

  test.each(['0', '-1', '1.5', 'many', '9999999999'])(
    '--max-line-bytes %s is a usage error',
    async (bytes) => {
      const { code, stderr } = await runMain(['verify-calls', '-', '--max-line-bytes', bytes]);
      expect(code).toBe(2);
      expect(stderr).toContain('(cli/usage)');
    },
  );
});

test('agrees with every flag of the recorded calls', async () => {
  const shared = sharedFolder();
  const all = shared === undefined ? '' : join(shared, 'data', 'bfcl', 'cases.jsonl');
  const own = join(import.meta.dirname, '../../../../examples/data/bfcl-cases.jsonl');
  for (const file of [own, all].filter((path) => existsSync(path))) {
    const { code, stdout } = await runMain(['verify-calls', file, '--json']);
    const summary = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as {
      readonly calls: number;
      readonly agreed: number;
    };
    report(
      `toolgate verify-calls: ${summary.agreed} of ${summary.calls} recorded calls agree (${statSync(file).size} bytes)`,
    );
    expect(code).toBe(0);
    expect(summary.agreed).toBe(summary.calls);
    expect(summary.calls).toBeGreaterThan(10);
  }
});
