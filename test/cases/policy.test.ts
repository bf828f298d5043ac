import {
  type Approver,
  type Authorizer,
  bind,
  createGate,
  createScope,
  defineTool,
  guard,
  Registry,
} from '@toolgate/core';
import { describe, expect, test } from 'vitest';

/** A tool that counts its executions. */
function counting(name: string, authorizer: Authorizer<unknown>) {
  const runs: string[] = [];
  const tool = defineTool({
    name,
    description: '',
    input: { type: 'object', properties: { n: { type: 'integer', default: 1 } } },
    profile: { class: 'external' },
    execute: () => {
      runs.push(name);
    },
  });
  return { runs, tool: guard({ tool, authorizer }) };
}

const call = (id: string, name: string) => ({ id, name, arguments: '{}' });

describe('one authorizer for every way in', () => {
  test('what it denies runs by no way: not directly, not from a registry, not through a gate', async () => {
    const { runs, tool } = counting('customer_export', () => false);
    const registry = new Registry([tool]);
    for (const binding of [bind(tool), registry.resolve('customer_export')]) {
      const prepared = binding?.contract.prepare(call('c', 'customer_export'));
      if (prepared?.ok !== true) throw new Error('not prepared');
      await expect(binding?.call(prepared.invocation, { context: undefined })).rejects.toMatchObject({
        code: 'tool/failure',
        kind: 'rejected',
      });
    }
    const session = await createGate({ tools: [tool] }).open();
    const outcomes = await session.executeAll([call('a', 'customer_export'), call('b', 'customer_export')]);
    expect(outcomes.map(({ reason }) => reason)).toEqual(['not_authorized', 'not_authorized']);
    await session.close();
    expect(runs).toEqual([]);
  });

  test('a denial is an outcome and the run goes on; a policy that fails ends the run by another name', async () => {
    const denied = counting('denied', () => false);
    const broken = counting('broken', () => {
      throw new Error('policy store is down');
    });
    const session = await createGate({ tools: [denied.tool, broken.tool] }).open();
    expect((await session.execute(call('1', 'denied'))).reason).toBe('not_authorized');
    await expect(session.execute(call('2', 'broken'))).rejects.toMatchObject({ code: 'gate/authorization' });
    await session.close();
    expect([...denied.runs, ...broken.runs]).toEqual([]);
  });
});

describe('what a reviewer decides on', () => {
  test('has the defaults filled in, marked as such, and runs exactly so', async () => {
    const seen: unknown[] = [];
    const approve: Approver = (request) => {
      seen.push([request.arguments, request.filled]);
      return 'allow';
    };
    const { tool } = counting('send', () => true);
    const scope = createScope({ approvalThreshold: 'external', approve });
    const session = await createGate({ tools: [tool], scope }).open();
    expect(await session.execute(call('1', 'send'))).toMatchObject({ reason: 'completed', filled: ['/n'] });
    await session.close();
    expect(seen).toEqual([[{ n: 1 }, ['/n']]]);
  });
});

describe('a tool that is gone', () => {
  test('is unavailable to a new session, in the words for any unknown name, and no tool failed', async () => {
    const { tool } = counting('export_csv', () => true);
    const registry = new Registry([tool, counting('other', () => true).tool]);
    registry.remove('export_csv');
    const session = await createGate({ tools: registry.bindings() }).open();
    const [gone, unknown] = await session.executeAll([call('1', 'export_csv'), call('2', 'never_was')]);
    expect(gone).toMatchObject({ kind: 'rejected', reason: 'tool_unavailable' });
    const told = [gone, unknown].map((outcome) => outcome?.kind === 'rejected' && outcome.output.text());
    expect(told).toEqual(['The tool is not available.', 'The tool is not available.']);
    await session.close();
  });
});
