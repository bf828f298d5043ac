import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtBin } from '../test-support/built-bin.ts';

let bin = '';
beforeAll(() => {
  bin = builtBin();
}, 120_000);

const examples = new URL('../../../examples/data/', import.meta.url);

describe('the installed command', () => {
  test('runs, and gives its exit code', () => {
    const run = spawnSync(process.execPath, [bin, 'inspect', new URL('mcp-tools.json', examples).pathname], {
      encoding: 'utf8',
    });
    expect([run.status, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toContain('12 tools, no errors');
    expect(run.stdout).not.toContain('\u001b');
  });

  test('ends without a word when its reader goes away', async () => {
    const child = spawn(process.execPath, [bin, 'verify-calls', '-']);
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    const feeding = pipeline(
      Readable.from(endless(Buffer.from('nonsense\n'.repeat(1_000)))),
      child.stdin,
    ).catch(() => undefined);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = await once(child, 'exit');
    await feeding;
    expect([code, errors]).toEqual([141, '']);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends on %s with exit code %i, while it waits for input', async (signal, expected) => {
    const child = spawn(process.execPath, [bin, 'verify-calls', '-']);
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.stdin.write('nonsense\n');
    await once(child.stdout, 'data');
    child.kill(signal);
    const [code] = await once(child, 'exit');
    expect([code, errors]).toEqual([expected, '']);
  });

  test('does not wait for a module that keeps the process busy', () => {
    const module = `data:text/javascript,export const tools = []; setInterval(() => {}, 1000);`;
    const run = spawnSync(process.execPath, ['--import', module, bin, 'inspect', '-'], {
      encoding: 'utf8',
      input: '[]',
      timeout: 20_000,
    });
    expect([run.status, run.stdout]).toEqual([0, expect.stringContaining('0 tools')]);
  });
});

test('memory does not grow with the input of verify-calls', async () => {
  const small = await peakMemory(16);
  const large = await peakMemory(256);
  expect(large - small).toBeLessThan(96);
}, 120_000);

/** Mebibytes that the command had at most while it read so many mebibytes of cases. */
async function peakMemory(mebibytes: number): Promise<number> {
  const hook = `data:text/javascript,${encodeURIComponent('process.on("exit", () => process.stderr.write(String(process.resourceUsage().maxRSS)))')}`;
  const child = spawn(process.execPath, ['--import', hook, bin, 'verify-calls', '-', '--json']);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const line = Buffer.from(
    `${JSON.stringify({
      prompt: 'p'.repeat(65_000),
      tools: [{ name: 'a.b', inputSchema: { type: 'object' } }],
      calls: [{ name: 'a.b', arguments: '{}', valid: true }],
    })}\n`,
  );
  const count = Math.ceil((mebibytes * 1_048_576) / line.length);
  await pipeline(Readable.from(endless(line, count)), child.stdin);
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  expect(JSON.parse(output.stdout)).toMatchObject({ cases: count, agreed: count });
  return Number(output.stderr) / 1_024;
}

function* endless(chunk: Buffer, count = Number.POSITIVE_INFINITY): Generator<Buffer> {
  for (let done = 0; done < count; done += 1) yield chunk;
}
