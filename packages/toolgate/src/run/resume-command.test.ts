import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builtBin } from '../../test-support/built-bin.ts';
import { createRunFolder, type RunFolder } from '../../test-support/run-folder.ts';
import { runMain } from '../../test-support/run-main.ts';

let folder: RunFolder;
let state = '';
beforeEach(() => {
  folder = createRunFolder();
  state = `${folder.path}/state.json`;
});
afterEach(() => folder.remove());

const call = (name: string, text: string): object => ({ name, arguments: { text } });
const TURNS = [{ calls: [call('look', 'a'), call('save', 'one'), call('save', 'two')] }, { text: 'Done.' }];

const suspend = () =>
  runMain(['run', 'hello', ...folder.options(TURNS), '--state', state], { env: folder.env });
const resume = (more: readonly string[] = [], options: Parameters<typeof runMain>[1] = {}) =>
  runMain(['resume', state, ...more], { env: folder.env, ...options });
const pending = (): readonly string[] => {
  const saved = JSON.parse(readFileSync(state, 'utf8')) as {
    readonly pending: readonly { readonly id: string }[];
  };
  return saved.pending.map(({ id }) => id);
};
const decide = (decision: string, ids: readonly string[] = pending()): readonly string[] => [
  '--decisions',
  JSON.stringify(ids.map((approvalId) => ({ approvalId, decision }))),
];

describe('a run that waits', () => {
  test('is saved for its owner only, with exit code 3, and nothing that waits has run', async () => {
    const { code, stdout, stderr } = await suspend();
    expect(code).toBe(3);
    expect(stdout).toContain('✓ completed  completed  look');
    expect(stdout.match(/^waits {4}/gmu)).toHaveLength(2);
    expect(stderr).toContain('toolgate resume');
    expect(statSync(state).mode & 0o777).toBe(0o600);
    expect(statSync(`${folder.path}/home/state-key`).mode & 0o777).toBe(0o600);
    expect(folder.effects()).toEqual([]);
  });

  test('is not written over another one', async () => {
    await suspend();
    const { code, stdout, stderr } = await suspend();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('(cli/state-exists)');
  });

  test('is listed where nobody decides, and stays as it is', async () => {
    await suspend();
    const before = readFileSync(state);
    const { code, stdout } = await resume();
    expect(code).toBe(3);
    for (const id of pending()) expect(stdout).toContain(`waits    ${id}  save (write)`);
    const json = await resume(['--json']);
    expect(
      json.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject(pending().map((id) => ({ kind: 'approval-request', approval: { id } })));
    expect(readFileSync(state)).toEqual(before);
    expect(folder.effects()).toEqual([]);
  });

  test('goes on with the decisions, runs each call once, and its file is gone', async () => {
    await suspend();
    const { code, stdout } = await resume(decide('allow'));
    expect(code).toBe(0);
    expect(stdout).toContain('Done.');
    expect(stdout).not.toContain('call     look');
    expect(folder.effects()).toEqual(['save one', 'save two']);
    expect(existsSync(state)).toBe(false);
  });

  test('takes decisions a few at a time', async () => {
    await suspend();
    const [first = '', second = ''] = pending();
    const partly = await resume(decide('allow', [second]));
    expect(partly.code).toBe(3);
    expect(folder.effects()).toEqual(['save two']);
    expect(pending()).toEqual([first]);
    expect((await resume(decide('decline', [first]))).code).toBe(0);
    expect(folder.effects()).toEqual(['save two']);
  });

  test('asks the person at the terminal, who may edit, or decide later', async () => {
    await suspend();
    const [, second] = pending();
    const { code, questions } = await resume([], { answers: ['e', '{"text":"edited"}', 'l'] });
    expect([code, questions.length]).toEqual([3, 3]);
    expect(folder.effects()).toEqual(['save edited']);
    expect(pending()).toEqual([second]);
  });

  test('a copy of the file cannot make a call run twice', async () => {
    await suspend();
    const decisions = decide('allow');
    copyFileSync(state, `${state}.copy`);
    await resume(decisions);
    copyFileSync(`${state}.copy`, state);
    const { stdout } = await resume(decisions);
    expect(folder.effects()).toEqual(['save one', 'save two']);
    expect(stdout).not.toContain('✓ completed  completed  save');
  });
});

describe('a file that is not what was saved', () => {
  test.each([
    ['other tools', (text: string) => text.replace('tools.mjs', 'evil.mjs')],
    ['another rule', (text: string) => text.replace('"changes"', '"none"')],
    ['other arguments', (text: string) => text.replaceAll('one', 'eno')],
    ['another signature', (text: string) => text.replace(/hmac-sha256:./u, 'hmac-sha256:g')],
    ['no signature', (text: string) => text.replace('"signature"', '"sign"')],
    ['another version', (text: string) => text.replace('"version": 1', '"version": 2')],
    ['half of it', (text: string) => text.slice(0, text.length / 2)],
    ['a member twice', (text: string) => text.replace('{', '{"turns":9,')],
    ['something else', () => '{}'],
  ])('%s is refused, and nothing runs', async (_what, change) => {
    await suspend();
    const decisions = decide('allow');
    const changed = change(readFileSync(state, 'utf8'));
    writeFileSync(state, changed);
    const { code, stdout, stderr } = await resume(decisions);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('(cli/state-invalid)');
    expect(folder.effects()).toEqual([]);
    expect(readFileSync(state, 'utf8')).toBe(changed);
  });

  test('another key is refused', async () => {
    await suspend();
    const decisions = decide('allow');
    const { stderr } = await resume(decisions, {
      env: { ...folder.env, TOOLGATE_STATE_KEY: 'k'.repeat(32) },
    });
    expect(stderr).toContain('(cli/state-invalid)');
  });

  test("a key of one's own works on another computer, and a short one is refused", async () => {
    const env = { ...folder.env, TOOLGATE_STATE_KEY: 'k'.repeat(32) };
    await runMain(['run', 'hello', ...folder.options(TURNS), '--state', state], { env });
    const elsewhere = { TOOLGATE_HOME: `${folder.path}/elsewhere`, TOOLGATE_STATE_KEY: 'k'.repeat(32) };
    expect((await resume(decide('allow'), { env: elsewhere })).code).toBe(0);
    expect((await resume([], { env: { ...env, TOOLGATE_STATE_KEY: 'short' } })).code).toBe(2);
  });

  test('a file that is not there is an error', async () => {
    const { code, stderr } = await resume();
    expect(code).toBe(1);
    expect(stderr).toContain('(cli/input-unreadable)');
  });
});

describe('decisions', () => {
  test.each([
    ['no JSON', 'yes', 'json/'],
    ['no list', '{}', 'cli/usage'],
    ['a list of something else', '[1]', 'cli/usage'],
    ['a word that is none', '[{"approvalId":"ID","decision":"sure"}]', 'agent/decision-invalid'],
    ['an id that nobody asked about', '[{"approvalId":"x","decision":"allow"}]', 'agent/decision-invalid'],
    ['an edit without arguments', '[{"approvalId":"ID","decision":"edit"}]', 'agent/decision-invalid'],
  ])('%s is refused, nothing runs, and the run still waits', async (_what, decisions, code) => {
    await suspend();
    const result = await resume(['--decisions', decisions.replace('ID', pending()[0] ?? '')]);
    expect(result.code).toBeGreaterThan(0);
    expect(result.stderr).toContain(`(${code}`);
    expect(folder.effects()).toEqual([]);
    expect((await resume(decide('decline'))).code).toBe(0);
  });

  test('come from a file, and from standard input', async () => {
    await suspend();
    const [first = '', second = ''] = pending();
    const path = folder.write('decisions.json', [
      { approvalId: first, decision: 'decline', reason: 'Not now.' },
    ]);
    expect((await resume(['--decisions', `@${path}`])).stdout).toContain('Reason: Not now.');
    const stdin = JSON.stringify([{ approvalId: second, decision: 'allow' }]);
    expect((await resume(['--decisions', '-'], { stdin })).code).toBe(0);
    expect(folder.effects()).toEqual(['save two']);
  });
});

test('one process suspends, another one resumes, a third one has nothing left to do', () => {
  const bin = builtBin();
  const start = (...argv: readonly string[]) =>
    spawnSync(process.execPath, [bin, ...argv], {
      encoding: 'utf8',
      input: '',
      env: { ...process.env, ...folder.env },
    });
  expect(start('run', 'hello', ...folder.options(TURNS), '--state', state).status).toBe(3);
  const resumed = start('resume', state, ...decide('allow'));
  expect([resumed.status, resumed.stderr]).toEqual([0, '']);
  expect(folder.effects()).toEqual(['save one', 'save two']);
  expect(start('resume', state).status).toBe(1);
}, 120_000);
