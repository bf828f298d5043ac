import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runMain } from '../test-support/run-main.ts';
import { CliError, cliErrorCodes } from './cli-error.ts';

const root = new URL('../../../', import.meta.url);

describe('toolgate', () => {
  test('prints its help, and the help of each command, with exit code 0', async () => {
    const { code, stdout, stderr } = await runMain(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    for (const command of ['inspect', 'call', 'verify-calls']) {
      expect(stdout).toContain(`  ${command} `);
      expect((await runMain([command, '--help'])).stdout).toContain(`Usage: toolgate ${command}`);
    }
  });

  test('prints the version of its package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      readonly version: string;
    };
    expect(await runMain(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('without a command shows the help as an error', async () => {
    const { code, stdout, stderr } = await runMain([]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Usage: toolgate');
  });

  test.each([
    ['an unknown command', ['inspekt', 'x']],
    ['an unknown option', ['inspect', 'x', '--colour']],
    ['a missing argument', ['inspect']],
    ['too many arguments', ['inspect', 'a', 'b']],
  ])('%s is one line and exit code 2', async (_what, argv) => {
    const { code, stdout, stderr } = await runMain(argv);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^toolgate: [^\n]+\(cli\/usage\)\n$/u);
  });

  test('an error is JSON with --json, and has a stack with --debug only', async () => {
    const json = await runMain(['inspect', 'nowhere', '--json']);
    expect(JSON.parse(json.stderr)).toEqual({
      error: { code: 'cli/input-unreadable', message: 'Cannot read nowhere: there is no such file.' },
    });
    const debug = await runMain(['--debug', 'inspect', 'nowhere']);
    expect(debug.stderr).toMatch(/\n\s+at /u);
    expect((await runMain(['inspect', 'nowhere'])).stderr).not.toMatch(/\n\s+at /u);
  });

  test('a command that is cancelled ends with the exit code of its signal, and says nothing', async () => {
    const controller = new AbortController();
    async function* endless() {
      yield new TextEncoder().encode('{"tools":[],"calls":[]}\n');
      controller.abort(new CliError('cli/interrupted', 'Ended by SIGINT.', { exitCode: 130 }));
      yield new TextEncoder().encode('{"tools":[],"calls":[]}\n');
      expect.unreachable('nothing is read after the signal');
    }
    const run = await runMain(['verify-calls', '-'], { stdin: endless(), signal: controller.signal });
    expect(run).toMatchObject({ code: 130, stdout: '', stderr: '' });
  });

  test('a reader that went away ends the command', async () => {
    const run = await runMain(['verify-calls', '-'], {
      stdin: 'x\ny\n',
      onWrite: () => {
        throw new CliError('cli/output-closed', 'The reader of the output went away.', { exitCode: 141 });
      },
    });
    expect(run).toMatchObject({ code: 141, stdout: '', stderr: '' });
  });

  test('a full disk is an error', async () => {
    const run = await runMain(['inspect', '-'], {
      stdin: '[]',
      onWrite: () => {
        throw new CliError('cli/output-failed', 'The output cannot be written (ENOSPC).');
      },
    });
    expect([run.code, run.stderr]).toEqual([
      1,
      'toolgate: The output cannot be written (ENOSPC). (cli/output-failed)\n',
    ]);
  });

  test('a defect of our own is one line too', async () => {
    const run = await runMain(['inspect', '-'], {
      stdin: '[]',
      onWrite: () => {
        throw new RangeError('off by one');
      },
    });
    expect([run.code, run.stderr]).toEqual([
      1,
      'toolgate: This should not happen: off by one (cli/defect)\n',
    ]);
  });
});

test('every code of the command line has one row in docs/cli.md, and every row is a code', () => {
  const page = readFileSync(new URL('docs/cli.md', root), 'utf8');
  const rows = [...page.matchAll(/^\| `(cli\/[^`]+)` \|/gmu)].map(([, code]) => code);
  expect(rows).toEqual([...cliErrorCodes]);
});
