import { createProviderServer } from '@toolgate/testing/node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRunFolder, type RunFolder } from '../../test-support/run-folder.ts';
import { runMain } from '../../test-support/run-main.ts';
import { CliError } from '../cli-error.ts';

let folder: RunFolder;
beforeEach(() => {
  folder = createRunFolder();
});
afterEach(() => folder.remove());

const call = (name: string, text: string): object => ({ name, arguments: { text } });
const oneCall = (name: string): readonly object[] => [{ calls: [call(name, 'a')] }, { text: 'Done.' }];
const run = (
  turns: readonly object[],
  more: readonly string[] = [],
  options: Parameters<typeof runMain>[1] = {},
) => runMain(['run', 'hello', ...folder.options(turns), ...more], { env: folder.env, ...options });

describe('toolgate run', () => {
  test('prints the text, every call with its arguments and its outcome, and how it ended', async () => {
    const { code, stdout, stderr } = await run([
      {
        text: 'Let me look.',
        calls: [call('look', 'x'), { name: 'look', arguments: '{"text":1}' }, { name: 'nothing' }],
      },
      { text: 'It is\nthere.', usage: { inputTotal: 1200, outputTotal: 34 } },
    ]);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.slice(0, 4)).toEqual([
      'Let me look.',
      'call     look {"text":"x"}',
      'call     look {"text":1}',
      'call     nothing',
    ]);
    expect(lines).toEqual(
      expect.arrayContaining(['outcome  ✓ completed  completed  look', 'result   seen x']),
    );
    expect(stdout).toContain('⊘ invalid  arguments_rejected  look');
    expect(stdout).toContain('⊘ rejected  tool_unavailable  nothing');
    expect(lines.slice(-3)).toEqual(['It is', 'there.', 'answer  2 turns, 3 calls, 1,234 tokens']);
  });

  test('a failure is redacted for the model, and shown to the person only with --debug', async () => {
    const turns = [{ calls: [{ name: 'boom' }] }, { text: 'Oh.', expect: { results: ['The tool failed.'] } }];
    const plain = await run(turns);
    expect(plain).toMatchObject({ code: 0, stderr: '' });
    expect(plain.stdout).not.toContain('10.20.30.40');
    expect((await run(turns, ['--debug'])).stderr).toContain('boom: Error: no route to 10.20.30.40');
  });

  test('a model cannot write to the terminal', async () => {
    const { stdout } = await run([{ text: 'a\u001b[2J\u202eb\nc' }]);
    expect(stdout).toContain('a\\u{1b}[2J\\u{202e}b\nc');
  });

  test('with --json prints one event in each line, the last one with the result', async () => {
    const { code, stdout } = await run(oneCall('look'), ['--json']);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly kind: string });
    expect(code).toBe(0);
    expect(events.filter(({ kind }) => kind === 'tool-end')).toMatchObject([
      { outcome: { kind: 'completed' } },
    ]);
    expect(events.at(-1)).toMatchObject({ kind: 'run-end', result: { stopReason: 'answer', text: 'Done.' } });
  });

  test('a prompt comes from standard input with -, and a blank one is refused', async () => {
    const options = folder.options([{ text: 'Hi.', expect: { userText: 'from a pipe' } }]);
    expect((await runMain(['run', '-', ...options], { stdin: 'from a pipe' })).code).toBe(0);
    expect((await runMain(['run', '-', ...options], { stdin: ' \n' })).code).toBe(2);
  });

  test('an end that is no answer has exit code 1 and says why', async () => {
    const { code, stdout } = await run(
      [{ calls: [call('look', '1')] }, { calls: [call('look', '2')] }],
      ['--max-turns', '1'],
    );
    expect(code).toBe(1);
    expect(stdout).toContain('turn_limit');
    expect(stdout).toContain('as often as the limits allow');
  });

  test.each(['--allow', '--deny'])('%s with a name that no tool has runs nothing', async (option) => {
    const { code, stderr } = await run(oneCall('look'), [option, 'lokk']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('lokk, and there is no such tool; there are: look, save, plain, boom, chief.');
    expect(stderr).toContain('cli/tool-unknown');
  });

  test('a privileged tool needs --allow, and --deny wins', async () => {
    expect((await run(oneCall('chief'))).stdout).toContain('tool_unavailable');
    expect((await run(oneCall('chief'), ['--allow', 'chief'])).stdout).toContain('✓ completed');
    expect((await run(oneCall('chief'), ['--allow', 'chief', '--deny', 'chief'])).stdout).toContain(
      'tool_unavailable',
    );
  });

  test('is cancelled with its signal, and says what became of its calls', async () => {
    const controller = new AbortController();
    const interrupted = new CliError('cli/interrupted', 'Ended by SIGINT.', { exitCode: 130 });
    const { code, stdout, stderr } = await run(
      [{ calls: [call('look', 'a')] }, { fault: { kind: 'silence' } }],
      [],
      {
        signal: controller.signal,
        onWrite: (text) => {
          if (text.includes('outcome')) controller.abort(interrupted);
        },
      },
    );
    expect([code, stderr]).toEqual([130, '']);
    expect(stdout).toContain('✓ completed  completed  look');
    expect(stdout).toContain('cancelled  ');
  });
});

describe('approvals in toolgate run', () => {
  test('a read is not asked about; a change is declined where nobody can be asked', async () => {
    const { stdout } = await run([
      { calls: [call('look', 'a'), call('save', 'b'), call('plain', 'c')] },
      { text: 'Done.' },
    ]);
    expect(stdout).toContain('✓ completed  completed  look');
    expect(stdout).toContain('⊘ rejected  approval_declined  save');
    expect(stdout).toContain('⊘ rejected  approval_declined  plain');
    expect(folder.effects()).toEqual([]);
  });

  test('yes, no, and edited arguments are what happens, and one question follows the other', async () => {
    const calls = ['one', 'two', 'three'].map((text) => call('save', text));
    const { code, questions, stdout, stderr } = await run([{ calls }, { text: 'Done.' }], [], {
      answers: ['y', 'No', 'edit', '{"text":"other"}'],
    });
    expect(code).toBe(0);
    expect(folder.effects()).toEqual(['save one', 'save other']);
    expect(questions).toHaveLength(4);
    expect(stderr).toContain('approve?  save (write)  {"text":"one"}');
    expect(stdout).toContain('✓ completed  completed  save, arguments edited');
  });

  test('whoever is asked sees all of the arguments, and which letters are not what they look like', async () => {
    const padded = `ls${'\u3000'.repeat(3)}; rm -rf /`;
    const spoofed = `https://\u0430pple.test/${'x'.repeat(150_000)}#end`;
    const calls = [call('save', padded), call('save', spoofed)];
    const { stderr } = await run([{ calls }, { text: 'Done.' }], [], { answers: ['n', 'n'] });
    expect(stderr).toContain('{"text":"ls\\u{3000}\\u{3000}\\u{3000}; rm -rf /"}');
    expect(stderr).toContain('{"text":"https://\\u{430}pple.test/x');
    expect(stderr).toContain('x#end"}');
  });

  test('always holds for that tool and for this run', async () => {
    const calls = [call('save', '1'), call('save', '2'), call('plain', '3')];
    const { questions } = await run([{ calls }, { calls: [call('save', '4')] }, { text: 'Done.' }], [], {
      answers: ['a', 'n'],
    });
    expect(questions).toHaveLength(2);
    expect(folder.effects()).toEqual(['save 1', 'save 2', 'save 4']);
    const again = await run(oneCall('save'), [], { answers: ['n'] });
    expect(again.questions).toHaveLength(1);
  });

  test('an answer that is none is asked again, later is none without --state, and an ended input is a no', async () => {
    const { questions } = await run(oneCall('save'), [], {
      answers: ['', 'maybe', 'later', 'edit', '[1]', 'edit', 'x'],
    });
    expect(questions).toHaveLength(8);
    expect(folder.effects()).toEqual([]);
  });

  test('edited arguments that the contract refuses do not run', async () => {
    const { stdout } = await run(oneCall('save'), [], { answers: ['e', '{"text":7}'] });
    expect(stdout).toContain('arguments_rejected');
    expect(folder.effects()).toEqual([]);
  });

  test('--approve all asks about reads too, --approve none about nothing', async () => {
    const all = await run(oneCall('look'), ['--approve', 'all'], { answers: ['n'] });
    expect(all.stdout).toContain('approval_declined');
    const none = await run(oneCall('save'), ['--approve', 'none'], { answers: [] });
    expect(none.questions).toEqual([]);
    expect(folder.effects()).toEqual(['save a']);
  });
});

describe('the model of toolgate run', () => {
  test.each([
    ['an unknown kind', 'llama:x', {}, 2, 'cli/model-unknown'],
    ['a name of a prototype', 'constructor:x', {}, 2, 'cli/model-unknown'],
    ['no name', 'openai:', {}, 2, 'cli/model-unknown'],
    ['a server without a model', 'http://127.0.0.1:1/v1', {}, 2, 'cli/model-unknown'],
    ['OpenAI without a key', 'openai:gpt', {}, 1, 'cli/model-key-missing'],
    [
      'Anthropic without a key',
      'anthropic:x',
      { OPENAI_API_KEY: 'k'.repeat(20) },
      1,
      'cli/model-key-missing',
    ],
    ['Gemini without a key', 'gemini:x', {}, 1, 'cli/model-key-missing'],
    ['a key with a line break', 'openai:gpt', { OPENAI_API_KEY: 'planted\nkey' }, 1, 'model/options-invalid'],
    ['a script that is not there', 'scripted:nowhere.json', {}, 1, 'cli/script-invalid'],
  ])('%s is one line, without the key', async (_what, model, env, exitCode, code) => {
    const result = await runMain(['run', 'hello', '--model', model], { env });
    expect([result.code, result.stdout]).toEqual([exitCode, '']);
    expect(result.stderr).toContain(`(${code})`);
    expect(result.stderr).not.toContain('planted');
    if (code === 'cli/model-key-missing')
      expect(result.stderr).toMatch(/http:\/\/localhost:11434\/v1#MODEL.+scripted:/u);
  });

  test.each([
    ['openai', 'openai-chat', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', 'baseUrl'],
    ['openai-responses', 'openai-responses', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', 'baseUrl'],
    ['anthropic', 'anthropic', 'ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'origin'],
    ['gemini', 'gemini', 'GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL', 'origin'],
  ] as const)(
    '%s: key and address come from the environment, a wrong key is one sentence',
    async (kind, protocol, key, base, address) => {
      const script = { turns: [{ text: 'Hi from afar.' }] };
      const server = await createProviderServer({ protocol, script, apiKey: 'planted-right-key' });
      try {
        const start = (value: string) =>
          runMain(['run', 'hello', '--model', `${kind}:m`, '--instructions', 'Be brief.'], {
            env: { [key]: value, [base]: server[address] },
          });
        const wrong = await start('planted-wrong-key');
        expect(wrong.code).toBe(1);
        expect(wrong.stdout).toMatch(/\(model\/http-status, status 401, request req_1\)/u);
        expect(wrong.stdout + wrong.stderr).not.toContain('planted');
        const right = await start('planted-right-key');
        expect(right).toMatchObject({ code: 0, stderr: '' });
        expect(right.stdout).toContain('Hi from afar.');
        expect(right.stdout).not.toContain('  info at /');
      } finally {
        await server.close();
      }
    },
  );

  test('the key of a provider is not sent to a server that is given by its address', async () => {
    const server = await createProviderServer({
      protocol: 'openai-chat',
      script: { turns: [{ text: 'Hi.' }] },
      apiKey: 'planted-key',
    });
    try {
      const start = (env: Readonly<Record<string, string>>) =>
        runMain(['run', 'hello', '--model', `${server.baseUrl}#m`], { env });
      expect((await start({ OPENAI_API_KEY: 'planted-key' })).code).toBe(1);
      expect((await start({ TOOLGATE_API_KEY: 'planted-key' })).code).toBe(0);
    } finally {
      await server.close();
    }
  });

  test('a server that is not there is one clear sentence', async () => {
    const { code, stdout } = await runMain(['run', 'hello', '--model', 'http://127.0.0.1:1/v1#m']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /model_error.+\n.+\nThe provider could not be reached[^\n]+\(model\/connection-failed\)\n$/u,
    );
  });

  test('a script that is wrong says where', async () => {
    const script = folder.write('wrong.json', { turns: [{ txt: 'x' }] });
    const { stderr } = await runMain(['run', 'hello', '--model', `scripted:${script}`]);
    expect(stderr).toContain('/turns/0');
    expect(stderr).toContain('(cli/script-invalid)');
  });
});

test('a tool that cannot be used ends the run before the model is asked', async () => {
  const module = folder.write('bad.mjs', 'export const tools = [7];');
  const { code, stderr, stdout } = await run([{ text: 'Hi.' }], ['--tools', module]);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('Tool 1 of');
  expect(stderr).toContain('(cli/module-invalid)');
});

test('instructions may come from a file', async () => {
  const server = await createProviderServer({
    protocol: 'openai-chat',
    script: { turns: [{ text: 'Hi.' }] },
  });
  try {
    const path = folder.write('system.txt', 'Answer in rhymes.');
    await runMain(['run', 'hello', '--model', `${server.baseUrl}#m`, '--instructions', `@${path}`]);
    expect(JSON.stringify(server.requests)).toContain('Answer in rhymes.');
  } finally {
    await server.close();
  }
});
