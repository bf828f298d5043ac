import type { ToolCall } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { eventLoopTurn } from '../clock/event-loop-turn.ts';
import type { CallReport, CorpusAdapter, CorpusSetup } from './corpus-adapter.ts';
import type { CallExpectation, CorpusCase } from './corpus-case.ts';
import { formatCorpusReport } from './corpus-report.ts';
import { readCorpus } from './read-corpus.ts';
import { runCorpus } from './run-corpus.ts';

const done: CallExpectation = { kind: 'completed', reason: 'completed', ran: true };
const executed: CallReport = { verdict: 'executed', reason: 'completed', modelText: '' };

const oneCall = (expectation: CallExpectation, extra: Partial<CorpusCase> = {}): CorpusCase => ({
  id: 'handlers/example',
  group: 'handlers',
  title: 'an example',
  tools: [{ name: 'ping' }],
  calls: [{ name: 'ping', arguments: '{"n":1}', expect: expectation }],
  why: 'for this test',
  ...extra,
});

type Execute = (setup: CorpusSetup, calls: readonly ToolCall[]) => Promise<readonly CallReport[]>;

const system = (
  execute: Execute,
  extra: Partial<CorpusAdapter<CorpusSetup>> = {},
): CorpusAdapter<CorpusSetup> => ({
  name: 'a system',
  supports: 'everything',
  time: 'fake',
  register: (setup) => setup,
  execute,
  ...extra,
});

const run = (setup: CorpusSetup, input: unknown = { n: 1 }): unknown =>
  setup.tools[0]?.execute(input, { signal: setup.signal });

async function faultsOf(item: CorpusCase, adapter: CorpusAdapter<CorpusSetup>): Promise<readonly string[]> {
  const { cases } = await runCorpus(adapter, { cases: [item], patienceMs: 30 });
  return cases.flatMap(({ faults }) => faults.map(({ level, text }) => `${level}: ${text}`));
}

describe('the runner believes no system about executions', () => {
  test('a call that is reported as executed but did not run is found', async () => {
    expect(
      await faultsOf(
        oneCall(done),
        system(async () => [executed]),
      ),
    ).toEqual(['coarse: "ping" ran 0 times, not 1']);
  });

  test('a call that is reported as refused but did run is found', async () => {
    const refused: CallExpectation = { kind: 'invalid', reason: 'arguments_rejected', ran: false };
    const adapter = system(async (setup) => {
      run(setup);
      return [{ verdict: 'refused', reason: 'arguments_rejected', modelText: '' }];
    });
    expect(await faultsOf(oneCall(refused), adapter)).toEqual(['coarse: "ping" ran 1 times, not 0']);
  });

  test('a tool that runs twice for one call is found', async () => {
    const adapter = system(async (setup) => {
      run(setup);
      run(setup);
      return [executed];
    });
    expect(await faultsOf(oneCall(done), adapter)).toEqual(['coarse: "ping" ran 2 times, not 1']);
  });

  test('a tool that runs after its call was answered is found', async () => {
    const refused: CallExpectation = { kind: 'rejected', reason: 'not_started', ran: false };
    const adapter = system(
      async () => [{ verdict: 'refused', reason: 'not_started', modelText: 'The call was not started.' }],
      { close: (setup) => run(setup) },
    );
    expect(await faultsOf(oneCall(refused), adapter)).toEqual([
      'coarse: runs a tool after its calls were answered',
    ]);
  });

  test('arguments that were changed on the way are found', async () => {
    const adapter = system(async (setup) => {
      run(setup, { n: 2 });
      return [executed];
    });
    const item = oneCall({ ...done, received: { n: 1 } });
    expect(await faultsOf(item, adapter)).toEqual(['coarse: its handler never got {"n":1}']);
  });

  test('what a handler got is recorded before the handler can change it', async () => {
    const adapter = system(async (setup) => {
      run(setup);
      return [executed];
    });
    const item = oneCall({ ...done, received: { n: 1 } }, { tools: [{ name: 'ping', handler: 'spoil' }] });
    expect(await faultsOf(item, adapter)).toEqual([]);
  });
});

describe('the runner compares what a system says with what is right', () => {
  const says = (report: Partial<CallReport>): CorpusAdapter<CorpusSetup> =>
    system(async (setup) => {
      run(setup);
      return [{ ...executed, ...report }];
    });

  test.each<[string, Partial<CallExpectation>, Partial<CallReport>, readonly string[]]>([
    ['nothing wrong', {}, {}, []],
    ['another verdict', {}, { verdict: 'unknown' }, ['coarse: is unknown, not executed']],
    ['another reason', {}, { reason: 'other' }, ['strict: has the reason other, not completed']],
    [
      'a secret',
      { modelMustNotSee: ['pw'] },
      { modelText: 'a pw b' },
      ['coarse: shows the model what it must not see'],
    ],
    [
      'a secret in the record',
      { modelMustNotSee: ['pw'] },
      { record: 'pw' },
      ['coarse: keeps in its record what must not be in it'],
    ],
    [
      'too much',
      { maxModelBytes: 3 },
      { modelText: '\u00e9\u00e9' },
      ['coarse: shows the model 4 bytes, more than 3'],
    ],
    ['half a pair', {}, { modelText: '\ud83d' }, ['coarse: shows the model half of a surrogate pair']],
    ['another text', { modelText: 'a' }, { modelText: 'b' }, ['strict: says "b"']],
    [
      'a missing hint',
      { modelSees: ['/amount'] },
      { modelText: 'wrong' },
      ['strict: does not say "/amount"'],
    ],
  ])('%s', async (_what, expectation, report, faults) => {
    expect(await faultsOf(oneCall({ ...done, ...expectation }), says(report))).toEqual(faults);
  });

  test('the fixed text of a reason has to be said', async () => {
    const item = oneCall({ kind: 'failed', reason: 'handler_error', ran: true });
    const report: Partial<CallReport> = { verdict: 'failed', reason: 'handler_error' };
    expect(await faultsOf(item, says({ ...report, modelText: 'The tool failed.' }))).toEqual([]);
    expect(await faultsOf(item, says({ ...report, modelText: 'Oops.' }))).toEqual([
      'strict: does not begin with the fixed text of handler_error',
    ]);
  });

  test('a missing or an additional report is found', async () => {
    const none = system(async (setup) => {
      run(setup);
      return [];
    });
    expect(await faultsOf(oneCall(done), none)).toEqual(['coarse: gives 0 reports for 1 calls']);
  });

  test('a system that throws has ended the run', async () => {
    const adapter = system(async (setup) => {
      run(setup);
      throw Object.assign(new Error('over'), { code: 'gate/permanent' });
    });
    expect(await faultsOf(oneCall(done), adapter)).toEqual([
      'coarse: is ended, not executed',
      'strict: has the reason gate/permanent, not completed',
    ]);
    expect(await faultsOf(oneCall({ kind: 'ended', reason: 'gate/permanent', ran: true }), adapter)).toEqual(
      [],
    );
  });

  test('handlers that overlap, or start in another order, are found', async () => {
    const call = (n: number) => ({ name: 'ping', arguments: `{"n":${n}}`, expect: done });
    const item = oneCall(done, {
      tools: [{ name: 'ping', handler: 'stubborn:5' }],
      calls: [call(1), call(2)],
      together: true,
      maxOverlap: 1,
      order: [1, 2],
    });
    const adapter = system(async (setup) => {
      await Promise.all([run(setup, { n: 2 }), run(setup, { n: 1 })]);
      return [executed, executed];
    });
    expect(await faultsOf(item, adapter)).toEqual([
      'coarse: runs 2 handlers at the same time, not 1',
      'coarse: starts the calls in the order 2,1, not 1,2',
    ]);
  });
});

describe('the runner always comes to an end', () => {
  const never = (): Promise<never> => new Promise(() => {});

  test.each(['fake', 'real'] as const)('a system on %s time that never answers is found', async (time) => {
    expect(await faultsOf(oneCall(done), system(never, { time }))).toEqual([
      'coarse: does not settle',
      'coarse: "ping" ran 0 times, not 1',
    ]);
  });

  test('a system that sets timers for ever is found', async () => {
    const adapter = system((setup) => {
      const again = (): unknown => setup.clock.setTimer(again, 1);
      again();
      return never();
    });
    expect(await faultsOf(oneCall(done), adapter)).toContain('coarse: does not settle');
  });

  test('a system that never registers or never closes is found', async () => {
    const mute = system(async () => [executed], { register: never });
    expect(await faultsOf(oneCall(done), mute)).toEqual([
      'coarse: does not settle when tools are registered',
    ]);
    const open = system(
      async (setup) => {
        run(setup);
        return [executed];
      },
      { close: never },
    );
    expect(await faultsOf(oneCall(done), open)).toEqual(['coarse: does not close']);
  });

  test('a handler that waits for ever is let go at the end of its case', async () => {
    let late: unknown;
    const adapter = system(async (setup) => {
      void Promise.resolve(run(setup)).then((value) => {
        late = value;
      });
      return [executed];
    });
    expect(await faultsOf(oneCall(done, { tools: [{ name: 'ping', handler: 'deaf' }] }), adapter)).toEqual(
      [],
    );
    expect(late).toBe('late');
  });

  test.each(['fake', 'real'] as const)('a run on %s time is cancelled while a handler runs', async (time) => {
    const adapter = system(
      async (setup) => {
        const text = await run(setup);
        return [{ ...executed, modelText: String(text) }];
      },
      { time },
    );
    const item = oneCall(
      { ...done, modelText: 'saved on the way out' },
      { tools: [{ name: 'ping', handler: 'until-aborted' }], cancel: 'during' },
    );
    expect(await faultsOf(item, adapter)).toEqual([]);
  });
});

describe('definitions', () => {
  const refusal = { definition: 'refused', code: 'x/inner', calls: [] } as const;

  test('a definition that is taken although it has to be refused is found', async () => {
    expect(
      await faultsOf(
        oneCall(done, refusal),
        system(async () => []),
      ),
    ).toEqual(['coarse: takes a definition that has to be refused']);
  });

  test('the code of a refusal may stand on the error or on its cause', async () => {
    const throwing = (error: Error) =>
      system(async () => [], {
        register: () => {
          throw error;
        },
      });
    const inner = Object.assign(new Error('inner'), { code: 'x/inner' });
    const outer = Object.assign(new Error('outer', { cause: inner }), { code: 'x/outer' });
    expect(await faultsOf(oneCall(done, refusal), throwing(inner))).toEqual([]);
    expect(await faultsOf(oneCall(done, refusal), throwing(outer))).toEqual([]);
    expect(await faultsOf(oneCall(done, refusal), throwing(new Error('other')))).toEqual([
      'strict: refuses with Error: other, not x/inner',
    ]);
    expect(await faultsOf(oneCall(done), throwing(outer))).toEqual([
      'coarse: refuses a good definition: x/outer, caused by x/inner',
    ]);
  });

  test('an offer that follows an edit of the registered object is found', async () => {
    const item = oneCall(done, { edit: 'instruct' });
    const adapter = system(
      async (setup) => {
        run(setup);
        return [executed];
      },
      { advertised: (setup) => setup.tools.map(({ definition }) => definition) },
    );
    expect(await faultsOf(item, adapter)).toEqual(['coarse: offers what was edited after registration']);
    expect(await faultsOf({ ...oneCall(done), advertised: ['pong'] }, adapter)).toEqual([
      'coarse: offers ping, not pong',
    ]);
  });
});

describe('scores', () => {
  test('what a system cannot express is not run, and is never a pass', async () => {
    const adapter = system(
      async () => {
        throw new Error('was run');
      },
      { supports: ['turn'] },
    );
    const report = await runCorpus(adapter, { cases: [oneCall(done, { cancel: 'during' })] });
    expect(report.total).toEqual({ cases: 1, strict: 0, coarse: 0, failed: 0, unsupported: 1 });
    expect(report.cases[0]).toMatchObject({ score: 'unsupported', missing: ['cancel'], faults: [] });
  });

  test('a system that obeys every text fails where it matters', async () => {
    const naive = system(
      async (setup, calls) =>
        Promise.all(
          calls.map(async (call): Promise<CallReport> => {
            const tool = setup.tools.find(({ definition }) => definition.name === call.name);
            try {
              const result = await tool?.execute(JSON.parse(call.arguments), {});
              return { verdict: 'executed', modelText: String(JSON.stringify(result)) };
            } catch (error) {
              return { verdict: 'failed', modelText: String(error) };
            }
          }),
        ),
      { supports: ['turn', 'incomplete'] },
    );
    const report = await runCorpus(naive, { cases: readCorpus(['arguments', 'handlers']) });
    const failed = report.cases.filter(({ score }) => score === 'failed').map(({ id }) => id);
    expect(failed).toEqual(
      expect.arrayContaining([
        'arguments/duplicate-amount',
        'arguments/incomplete-whole-text',
        'handlers/throws-error-message',
      ]),
    );
    expect(report.total.coarse).toBeGreaterThan(0);
    expect(report.total.coarse).toBeLessThan(report.total.cases / 2);
  });

  test('a report counts, prints and encodes', async () => {
    const adapter = system(async (setup) => {
      run(setup);
      return [{ ...executed, reason: 'other' }];
    });
    const seen: string[] = [];
    const report = await runCorpus(adapter, { cases: [oneCall(done)], onResult: ({ id }) => seen.push(id) });
    expect(seen).toEqual(['handlers/example']);
    expect(report.groups).toEqual([
      { group: 'handlers', cases: 1, strict: 0, coarse: 1, failed: 0, unsupported: 0 },
    ]);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    const lines = formatCorpusReport(report).split('\n');
    expect(lines[0]).toBe('a system');
    expect(lines[2]?.split(/ +/)).toEqual(['handlers', '1', '0', '1', '0', '0']);
    expect(lines.slice(4)).toEqual([
      'handlers/example (coarse)',
      '  call-1 has the reason other, not completed',
    ]);
    expect(formatCorpusReport(report, 0).split('\n')).toHaveLength(4);
  });

  test('an id that would act on a terminal is printed escaped and short', async () => {
    const item = oneCall(done, {
      calls: [{ id: [{ repeat: '\u001b[2J', times: 99 }], name: 'ping', arguments: '', expect: done }],
    });
    const report = await runCorpus(
      system(async () => [{ ...executed, verdict: 'failed' }]),
      { cases: [item] },
    );
    expect(formatCorpusReport(report)).not.toContain('\u001b');
    expect(report.cases[0]?.faults[0]?.callId?.length).toBeLessThan(120);
  });

  test('nothing of a case runs on into the next one', async () => {
    const adapter = system(async (setup) => {
      run(setup);
      setup.clock.setTimer(() => {}, 1_000_000);
      return [executed];
    });
    const { total } = await runCorpus(adapter, { cases: [oneCall(done), oneCall(done)] });
    await eventLoopTurn();
    expect(total.strict).toBe(2);
  });
});
