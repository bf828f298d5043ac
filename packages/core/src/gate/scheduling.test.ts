import { describe, expect, test } from 'vitest';
import { createScope } from '../policy/scope.ts';
import { defineTool } from '../tool/define-tool.ts';
import type { ExecutionClass, Profile } from '../tool/profile.ts';
import { createGate } from './create-gate.ts';
import type { GateConfig } from './gate-config.ts';

/** A gate whose handlers note when they begin, and end when they are told to. */
function controlled(profiles: Readonly<Record<string, Profile>>, config: Partial<GateConfig> = {}) {
  const log: string[] = [];
  const running = new Map<string, () => void>();
  const tools = Object.entries(profiles).map(([name, profile]) => ({
    profile,
    ...defineTool({
      name,
      description: '',
      input: { type: 'object', properties: { path: { type: 'string' } } },
      execute: (_input, { callId = '' }) =>
        new Promise<string>((resolve) => {
          log.push(callId);
          running.set(callId, () => {
            running.delete(callId);
            resolve('done');
          });
        }),
    }),
  }));
  const gate = createGate({ tools, ...config });
  const settle = async (): Promise<void> => {
    for (let index = 0; index < 20; index += 1) await Promise.resolve();
  };
  return {
    gate,
    log,
    running,
    /** Lets one handler finish, and whoever waited for it begin. */
    end: async (id: string): Promise<void> => {
      running.get(id)?.();
      await settle();
    },
    settle,
  };
}

const call = (id: string, name: string, path?: string) => ({
  id,
  name,
  arguments: path === undefined ? '' : JSON.stringify({ path }),
});

const byPath = (executionClass: ExecutionClass): Profile => ({
  class: executionClass,
  resourceKey: ({ path }) => (typeof path === 'string' ? path : 'none'),
});

/** Starts a turn and ends its handlers, always the last one that began. Gives the groups that ran together. */
async function groups(
  profiles: Readonly<Record<string, Profile>>,
  calls: readonly ReturnType<typeof call>[],
  config: Partial<GateConfig> = {},
): Promise<string[][]> {
  const { gate, running, end, settle } = controlled(profiles, config);
  const session = await gate.open();
  const turn = session.executeAll(calls);
  const seen: string[][] = [];
  await settle();
  while (running.size > 0) {
    seen.push([...running.keys()]);
    for (const id of [...running.keys()].reverse()) await end(id);
  }
  const outcomes = await turn;
  expect(outcomes.map(({ callId, reason }) => [callId, reason])).toEqual(
    calls.map(({ id }) => [id, 'completed']),
  );
  await session.close();
  return seen;
}

describe('calls of one turn', () => {
  test('of class read and external overlap', async () => {
    const profiles = { read: { class: 'read' }, send: { class: 'external' } } as const;
    expect(
      await groups(profiles, [call('1', 'read'), call('2', 'send'), call('3', 'read'), call('4', 'send')]),
    ).toEqual([['1', '2', '3', '4']]);
  });

  test('that are unclassified run one at a time, in call order', async () => {
    const profiles = { reset: {}, ensure: {}, read: { class: 'read' } } as const;
    expect(
      await groups(profiles, [
        call('1', 'reset'),
        call('2', 'ensure'),
        call('3', 'read'),
        call('4', 'reset'),
      ]),
    ).toEqual([['1', '3'], ['2'], ['4']]);
  });

  test('wait for a write without a key that was proposed before them, and it waits for those before it', async () => {
    const profiles = {
      read: { class: 'read' },
      write: { class: 'write' },
      send: { class: 'external' },
    } as const;
    expect(
      await groups(profiles, [
        call('1', 'read'),
        call('2', 'send'),
        call('3', 'write'),
        call('4', 'read'),
        call('5', 'write'),
      ]),
    ).toEqual([['1', '2'], ['3'], ['4'], ['5']]);
  });

  test('of a class outside the list are as exclusive as a write', async () => {
    // Only a tool that is not made by defineTool can say such a word.
    const odd = { class: 'nuclear' as ExecutionClass };
    expect(
      await groups({ read: { class: 'read' }, odd }, [
        call('1', 'read'),
        call('2', 'odd'),
        call('3', 'read'),
      ]),
    ).toEqual([['1'], ['2'], ['3']]);
  });

  test('a read sees the write of the same file that was proposed before it', async () => {
    const profiles = { write_file: byPath('write'), read_file: byPath('read') };
    expect(
      await groups(profiles, [
        call('1', 'write_file', 'a'),
        call('2', 'read_file', 'a'),
        call('3', 'read_file', 'b'),
      ]),
    ).toEqual([['1', '3'], ['2']]);
  });

  test('with one key never overlap and keep their order; other keys run', async () => {
    const profiles = { edit: byPath('write') };
    expect(
      await groups(profiles, [
        call('1', 'edit', 'a.ts'),
        call('2', 'edit', 'a.ts'),
        call('3', 'edit', 'b.ts'),
        call('4', 'edit', 'a.ts'),
      ]),
    ).toEqual([['1', '3'], ['2'], ['4']]);
  });

  test('overlap where only keys order them', async () => {
    const profiles = { reset: {}, write: { class: 'write' }, edit: byPath('write') } as const;
    const calls = [
      call('1', 'reset'),
      call('2', 'reset'),
      call('3', 'write'),
      call('4', 'write'),
      call('5', 'edit', 'a'),
      call('6', 'edit', 'a'),
    ];
    expect(await groups(profiles, calls, { scheduling: 'parallel' })).toEqual([
      ['1', '2', '3', '4', '5'],
      ['6'],
    ]);
  });

  test('are never more at once than there are slots, and begin in call order', async () => {
    const calls = Array.from({ length: 40 }, (_, index) => call(String(index), 'read'));
    const seen = await groups({ read: { class: 'read' } }, calls);
    expect(seen.every((group) => group.length <= 8)).toBe(true);
    const { gate, log, running, end, settle } = controlled({ read: { class: 'read' } }, { concurrency: 3 });
    const session = await gate.open();
    const turn = session.executeAll(calls);
    await settle();
    while (running.size > 0) await end([...running.keys()][0] ?? '');
    expect(log).toEqual(calls.map(({ id }) => id));
    await turn;
    await session.close();
  });
});

describe('a resource key', () => {
  test('holds across the sessions of a gate, not across gates', async () => {
    const { gate, log, end, settle } = controlled({ edit: { class: 'write', resourceKey: 'the file' } });
    const [one, two] = [await gate.open(), await gate.open()];
    const outcomes = [one.execute(call('1', 'edit')), two.execute(call('2', 'edit'))];
    await settle();
    expect(log).toEqual(['1']);
    await end('1');
    expect(log).toEqual(['1', '2']);
    await end('2');
    await Promise.all([...outcomes, one.close(), two.close()]);
  });

  test('is free again when a call is given up while it waits', async () => {
    const { gate, log, end, settle } = controlled({ edit: { class: 'write', resourceKey: 'k' } });
    const sessions = [await gate.open(), await gate.open(), await gate.open()];
    const outcomes = sessions.map((session, index) => session.execute(call(String(index), 'edit')));
    await settle();
    await sessions[1]?.close();
    await end('0');
    expect(log).toEqual(['0', '2']);
    await end('2');
    expect((await Promise.all(outcomes)).map(({ reason }) => reason)).toEqual([
      'completed',
      'not_started',
      'completed',
    ]);
    await Promise.all(sessions.map((session) => session.close()));
  });

  test.each<[string, NonNullable<Profile['resourceKey']>]>([
    [
      'throws',
      () => {
        throw new Error('no path');
      },
    ],
    ['gives no string', () => 5 as unknown as string],
    ['gives a promise', () => Promise.resolve('k') as unknown as string],
  ])(
    'function that %s fails its call, which does not run, and holds up no other',
    async (_name, resourceKey) => {
      const { gate, log, end, settle } = controlled({ bad: { resourceKey }, good: { resourceKey: 'k' } });
      const session = await gate.open();
      const turn = session.executeAll([call('1', 'bad'), call('2', 'good')]);
      await settle();
      expect(log).toEqual(['2']);
      await end('2');
      expect((await turn).map(({ reason }) => reason)).toEqual(['handler_error', 'completed']);
      await session.close();
    },
  );

  test('gets a copy of the arguments', async () => {
    const seen: unknown[] = [];
    const tool = defineTool({
      name: 't',
      description: '',
      input: { type: 'object', properties: { path: { type: 'string' } } },
      profile: {
        resourceKey: (args) => {
          Reflect.set(args, 'path', 'changed');
          return 'k';
        },
      },
      execute: (input) => {
        seen.push(input);
        return '';
      },
    });
    const session = await createGate({ tools: [tool] }).open();
    await session.execute(call('1', 't', 'a'));
    expect(seen).toEqual([{ path: 'a' }]);
    await session.close();
  });
});

describe('a call that awaits its approval', () => {
  test('keeps its place: what was proposed after it and depends on it waits', async () => {
    let answer = (): void => {};
    const scope = createScope({
      approvalThreshold: 'write',
      approve: () =>
        new Promise((resolve) => {
          answer = () => resolve('allow');
        }),
    });
    const profiles = { write_file: byPath('write'), read_file: byPath('read') };
    const { gate, log, end, settle } = controlled(profiles, { scope });
    const session = await gate.open();
    const turn = session.executeAll([
      call('1', 'write_file', 'a'),
      call('2', 'read_file', 'a'),
      call('3', 'read_file', 'b'),
    ]);
    await settle();
    expect(log).toEqual(['3']);
    answer();
    await settle();
    expect(log).toEqual(['3', '1']);
    await end('1');
    expect(log).toEqual(['3', '1', '2']);
    await end('2');
    await end('3');
    await turn;
    await session.close();
  });

  test('holds no slot and no key of the gate', async () => {
    const scope = createScope({ approvalThreshold: 'write', approve: () => new Promise(() => {}) });
    const profiles = {
      edit: { class: 'write', resourceKey: 'k' },
      touch: { class: 'read', resourceKey: 'k' },
    } as const;
    const { gate, log, end, settle } = controlled(profiles, { scope, concurrency: 1 });
    const [waiting, other] = [await gate.open(), await gate.open()];
    const pending = waiting.execute(call('1', 'edit'));
    const outcome = other.execute(call('2', 'touch'));
    await settle();
    expect(log).toEqual(['2']);
    await end('2');
    expect((await outcome).reason).toBe('completed');
    await waiting.close();
    expect((await pending).reason).toBe('not_started');
    await other.close();
  });
});
