import { spawnSync } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '@toolgate/core';
import { beforeAll, describe, expect, test } from 'vitest';
import { runDemo } from './run-demo.mjs';

const EXPECTED = [
  ['completed', 'completed'],
  ['invalid', 'arguments_malformed'],
  ['invalid', 'arguments_rejected'],
  ['completed', 'completed'],
  ['failed', 'tool_error'],
  ['completed', 'completed'],
  ['completed', 'completed'],
  ['completed', 'completed'],
  ['rejected', 'approval_declined'],
  ['rejected', 'tool_unavailable'],
  ['rejected', 'tool_unavailable'],
  ['failed', 'handler_error'],
  ['unknown', 'deadline_exceeded'],
];

const textOf = (outcome: Outcome): string => (outcome.kind === 'suspended' ? '' : outcome.output.text());

async function demo(answers?: readonly string[]) {
  let printed = '';
  const print = (text: string): void => {
    printed += text;
  };
  const input = new PassThrough();
  const output = new PassThrough();
  const pending = [...(answers ?? [])];
  // A person answers what is asked, one line for each question.
  output.on('data', (chunk: Buffer) => {
    const asked = /(?:\] |JSON: )$/u.test(chunk.toString());
    if (!asked) return;
    if (pending.length > 0) input.write(`${pending.shift()}\n`);
    else input.end();
  });
  const { signal } = new AbortController();
  const terminal = answers === undefined ? {} : { terminal: { input, output } };
  const result = await runDemo({ print, colours: false, signal, ...terminal });
  return { ...result, printed };
}

describe('the demonstration without a terminal', () => {
  let run: Awaited<ReturnType<typeof demo>>;
  beforeAll(async () => {
    run = await demo();
  });

  test('gives each call the outcome that it is there to show', () => {
    expect(run.outcomes.map(({ kind, reason }) => [kind, reason])).toEqual(EXPECTED);
  });

  test('moves the write in the wrong place, and touches nothing else', () => {
    expect(run.outcomes[7]?.edited).toBe(true);
    expect(run.files.get('/workspace/drafts/launch.md')).toContain('Thursday');
    expect(run.files.get('/workspace/notes/launch.md')).toContain('Wednesday');
  });

  test('tells the model neither the secret of the error nor the credential of the file', () => {
    const told = run.outcomes.map(textOf);
    expect(told[11]).toBe('The tool failed.');
    expect(told.join('\n')).not.toMatch(/10\.20\.30\.40|demo-key|0123456789abcdef/u);
  });

  test('answers a denied name and an invented one alike', () => {
    const [denied, invented] = run.outcomes.slice(9, 11).map(textOf);
    expect(denied).toBe('The tool is not available.');
    expect(invented).toBe(denied);
  });

  test('prints every outcome, and the rule that decided', () => {
    for (const [kind, reason] of EXPECTED) expect(run.printed).toContain(`${kind}  ${reason}`);
    expect(run.printed).toContain('a rule decides');
    expect(run.printed).not.toContain('\u001b');
  });
});

describe('the demonstration with a person', () => {
  test('a cancellation while a question is open ends it, and nothing more runs', async () => {
    const controller = new AbortController();
    const input = new PassThrough();
    const output = new PassThrough();
    let printed = '';
    output.on('data', () => controller.abort(new Error('enough')));
    const run = runDemo({
      print: (text) => {
        printed += text;
      },
      colours: false,
      signal: controller.signal,
      terminal: { input, output },
    });
    await expect(run).rejects.toThrow('enough');
    expect(printed).toContain('a write that needs a yes');
    expect(printed).not.toContain('a write in the wrong place');
  });

  test('a yes writes, a no does not, and edited arguments are what runs', async () => {
    const { outcomes, files } = await demo(['n', 'edit', '{"path":"notes/other.md","content":"x"}', 'y']);
    expect(outcomes.slice(6, 9).map(({ reason }) => reason)).toEqual([
      'approval_declined',
      'completed',
      'completed',
    ]);
    expect(files.has('/workspace/drafts/plan.md')).toBe(false);
    expect(files.get('/workspace/notes/other.md')).toBe('x');
  });

  test('an answer that is none is asked again, and an ended input is a no', async () => {
    const { outcomes } = await demo(['perhaps', 'edit', '[1]', 'y']);
    expect(outcomes.slice(6, 9).map(({ reason }) => reason)).toEqual([
      'completed',
      'approval_declined',
      'approval_declined',
    ]);
  });
});

test('the script ends by itself with exit code 0, prints nothing to the errors and never asks', () => {
  const main = fileURLToPath(new URL('./main.mjs', import.meta.url));
  const run = spawnSync(process.execPath, [main], {
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: 20_000,
  });
  expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
  expect(run.stdout).toContain('13 calls, one outcome each');
  expect(run.stdout).not.toContain('[y/n/edit]');
});
