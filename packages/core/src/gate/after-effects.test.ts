import { describe, expect, test } from 'vitest';
import { createScope } from '../policy/scope.ts';
import type { Authorizer } from '../tool/authorizer.ts';
import { bind } from '../tool/binding.ts';
import { CallError } from '../tool/call-error.ts';
import { defineTool } from '../tool/define-tool.ts';
import { Failure } from '../tool/failure.ts';
import { guard } from '../tool/guard.ts';
import { PermanentError } from '../tool/permanent-error.ts';
import { recheck } from '../tool/recheck.ts';
import type { CallContext } from '../tool/tool.ts';
import { ToolError } from '../tool/tool-error.ts';
import { createGate } from './create-gate.ts';
import type { GateConfig } from './gate-config.ts';
import { GateError } from './gate-error.ts';
import type { Outcome } from './outcome.ts';

const HINT = 'Check with list_orders before you repeat it.';

/** A gate with a tool that has its effect before anything goes wrong, and the one that shows it. */
function ordering(work: () => unknown, config: Partial<GateConfig> = {}) {
  const placed: string[] = [];
  const place = defineTool({
    name: 'place_order',
    description: '',
    profile: { class: 'write', checkWith: 'list_orders' },
    input: { type: 'object' },
    output: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    resultBudget: { bytes: 100, overflow: 'fail' },
    execute: (): never => {
      placed.push('order');
      // Also what the compiler would not let through.
      return work() as never;
    },
  });
  const list = defineTool({
    name: 'list_orders',
    description: '',
    input: { type: 'object' },
    execute: () => placed,
  });
  return { placed, gate: createGate({ tools: [place, list], ...config }) };
}

async function outcomeOf(work: () => unknown, config?: Partial<GateConfig>): Promise<Outcome> {
  const { gate, placed } = ordering(work, config);
  const session = await gate.open();
  const outcome = await session.execute({ id: 'c1', name: 'place_order', arguments: '' });
  await session.close();
  expect(placed).toEqual(['order']);
  return outcome;
}

const text = (outcome: Outcome): string => (outcome.kind === 'suspended' ? '' : outcome.output.text());
const fail = (thrown: unknown) => (): never => {
  throw thrown;
};

describe('a call whose handler had its effect before it failed', () => {
  test.each<[string, () => unknown, string, string]>([
    ['with a defect', fail(new TypeError('x of undefined')), 'handler_error', 'The tool failed.'],
    ['later', () => Promise.reject(new Error('reset')), 'handler_error', 'The tool failed.'],
    ['with a result without a form', () => ({ id: 1n }), 'output_invalid', 'The tool failed.'],
    ['with a result of another form', () => ({ number: 'o-1' }), 'output_invalid', 'The tool failed.'],
    [
      'with a result that is too large',
      () => ({ id: 'x'.repeat(200) }),
      'output_too_large',
      "The tool's result was too large.",
    ],
  ])('%s is told with the tool that shows it', async (_how, work, reason, told) => {
    const outcome = await outcomeOf(work);
    expect([outcome.reason, text(outcome)]).toEqual([reason, `${told} ${HINT}`]);
    // Only a tool that the reader can ask.
    const alone = await outcomeOf(work, { scope: createScope({ deny: ['list_orders'] }) });
    expect(text(alone)).toBe(told);
  });

  test.each<[string, unknown]>([
    ['a ToolError', new ToolError('No stock.')],
    ['a Failure', new Failure({ kind: 'failed', output: 'No stock.', cause: new Error('none left') })],
  ])('in the words of its author, with %s, has no other ones', async (_what, thrown) => {
    expect(text(await outcomeOf(fail(thrown)))).toBe('No stock.');
  });

  test.each<[string, () => unknown]>([
    ['a defect', fail(new Error('x'))],
    ['an aborted request of its own', fail(new DOMException('The operation timed out.', 'TimeoutError'))],
    ['a result without a form', () => new Map()],
    ['evidence', fail(new CallError({ cause: 1, evidence: 'sent' }))],
  ])('is never one that was refused or did not start: %s', async (_what, work) => {
    const { kind } = await outcomeOf(work);
    expect(['failed', 'unknown']).toContain(kind);
  });
});

describe('a policy that a running handler asks', () => {
  const down: Authorizer = ({ arguments: { url } }) => {
    if (url === 'https://elsewhere.example') throw new Error('the policy is down');
    return true;
  };

  function fetching(tools: (visited: string[]) => GateConfig['tools']) {
    const visited: string[] = [];
    return { visited, gate: createGate({ tools: tools(visited) }) };
  }

  /** Goes where a page leads, and asks for that. */
  const page = (visited: string[]) => {
    const tool = defineTool({
      name: 'open_page',
      description: '',
      profile: { class: 'external' },
      input: { type: 'object', properties: { url: { type: 'string' } } },
      execute: async (_input, call: CallContext) => {
        visited.push('first page');
        await recheck(down, contract, { url: 'https://elsewhere.example' }, call);
        return 'text';
      },
    });
    const { contract } = bind(tool);
    return guard({ tool, authorizer: down });
  };

  test.each(['execute', 'executeAll'] as const)(
    'and that cannot decide ends the run, and the call is not said not to have started: %s',
    async (door) => {
      const { gate, visited } = fetching((seen) => [page(seen)]);
      const session = await gate.open();
      const call = { id: 'c1', name: 'open_page', arguments: '{"url":"https://example"}' };
      const ended = await (door === 'execute' ? session.execute(call) : session.executeAll([call])).catch(
        (error: unknown) => error,
      );
      await session.close();
      expect(visited).toEqual(['first page']);
      expect(GateError.is(ended) && [ended.code, ended.callId]).toEqual(['gate/authorization', 'c1']);
      expect(ended).toHaveProperty('outcomes', [
        expect.objectContaining({ kind: 'failed', reason: 'handler_error' }),
      ]);
    },
  );

  test('before the handler leaves a call that was not started', async () => {
    const { gate, visited } = fetching((seen) => [page(seen)]);
    const session = await gate.open();
    const call = { id: 'c1', name: 'open_page', arguments: '{"url":"https://elsewhere.example"}' };
    const ended = await session.execute(call).catch((error: unknown) => error);
    await session.close();
    expect(visited).toEqual([]);
    expect(ended).toHaveProperty('outcomes', [expect.objectContaining({ reason: 'not_started' })]);
  });
});

test('the error of a call that ended the run has the outcome of that call', async () => {
  const { gate } = ordering(fail(new PermanentError(new Error('revoked'))));
  const session = await gate.open();
  const ended = await session
    .execute({ id: 'c1', name: 'place_order', arguments: '' })
    .catch((error: unknown) => error);
  await session.close();
  expect(ended).toHaveProperty('outcomes', [
    expect.objectContaining({ callId: 'c1', kind: 'failed', reason: 'handler_error' }),
  ]);
});
