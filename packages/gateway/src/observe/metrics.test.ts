import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ApprovalRecord } from '../ports/approval-store.ts';
import type { CallEntry } from '../ports/call-log.ts';
import type { TrafficEntry } from '../ports/traffic-log.ts';
import { createMetrics } from './metrics.ts';

const entry: TrafficEntry = {
  id: 'r1',
  at: 0,
  surface: 'anthropic',
  route: 'main',
  attempts: 2,
  failures: [{ candidate: 'main/m', error: 'upstream_misconfigured' }],
  streamed: true,
  status: 200,
  usage: { inputTotal: 100, outputTotal: 7, cacheRead: null, cacheWrite: null, reasoning: null },
  losses: [{ code: 'dropped', path: '/seed', severity: 'minor', detail: '' }] as never,
  durationMs: 1_500,
  firstByteMs: 20,
  requestBytes: 1,
  responseBytes: 1,
  calls: 1,
  generation: 3,
};

const call: CallEntry = {
  id: 'c',
  at: 0,
  requestId: 'planted',
  origin: 'llm',
  place: 'main',
  principal: 'planted',
  keyId: 'planted',
  callId: 'planted',
  tool: 'planted',
  verdict: 'refused',
  reason: 'scope_denied',
};

const sources = {
  dropped: () => ({ calls: 4, traffic: 0 }),
  generation: () => 3,
  pendingApprovals: () => 2,
  servers: () => [{ name: 'bank', state: 'broken' as const }],
};

const linesOf = async (metrics: ReturnType<typeof createMetrics>): Promise<readonly string[]> =>
  (await metrics.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));

describe('metrics', () => {
  test('count a request once, with its time, its tokens, its losses and the candidates it took', async () => {
    const metrics = createMetrics(sources, { process: false });
    metrics.requestStarted('anthropic');
    metrics.requestStarted('anthropic');
    metrics.requestEnded(entry);
    const lines = await linesOf(metrics);
    expect(lines).toContain('toolgate_requests_total{surface="anthropic",route="main",status="200"} 1');
    expect(lines).toContain('toolgate_requests_in_flight{surface="anthropic"} 1');
    expect(lines).toContain('toolgate_request_duration_seconds_sum{surface="anthropic",route="main"} 1.5');
    expect(lines).toContain(
      'toolgate_first_byte_seconds_bucket{le="0.025",surface="anthropic",route="main"} 1',
    );
    expect(lines).toContain('toolgate_tokens_total{route="main",direction="input"} 100');
    expect(lines).toContain('toolgate_tokens_total{route="main",direction="output"} 7');
    expect(lines).toContain('toolgate_failovers_total{route="main"} 1');
    expect(lines).toContain(
      'toolgate_candidate_failures_total{route="main",candidate="main/m",code="upstream_misconfigured"} 1',
    );
    expect(lines).toContain('toolgate_losses_total{code="dropped"} 1');
  });

  test.each([
    ['a turn that went on after a refusal', 3, undefined, 0],
    ['one connection that was made anew', 2, [], 0],
    [
      'a failure of each of two',
      2,
      [
        { candidate: 'a', error: 'x' },
        { candidate: 'b', error: 'x' },
      ],
      1,
    ],
  ])('count no failover for %s', async (_what, attempts, failures, count) => {
    const metrics = createMetrics(sources, { process: false });
    const { failures: _failures, ...rest } = entry;
    metrics.requestEnded({ ...rest, attempts, ...(failures === undefined ? {} : { failures }) });
    const told = (await linesOf(metrics)).filter((line) => line.startsWith('toolgate_failovers_total'));
    expect(told).toEqual(count === 0 ? [] : [`toolgate_failovers_total{route="main"} ${count}`]);
  });

  test('ask their sources when they are read', async () => {
    const lines = await linesOf(createMetrics(sources, { process: false }));
    expect(lines).toContain('toolgate_approvals_pending 2');
    expect(lines).toContain('toolgate_log_entries_dropped{log="calls"} 4');
    expect(lines).toContain('toolgate_config_generation 3');
    expect(lines).toContain('toolgate_mcp_server_state{server="bank",state="broken"} 1');
    expect(lines).toContain('toolgate_mcp_server_state{server="bank",state="mounted"} 0');
  });

  test('stand in docs/gateway.md, each with its labels', async () => {
    const metrics = createMetrics(sources, { process: false });
    metrics.requestStarted('anthropic');
    metrics.requestEnded({ ...entry, error: 'overloaded' });
    metrics.call({ ...call, tool: 'transfer' });
    metrics.approval({ status: 'approved' } as ApprovalRecord);
    const text = await metrics.text();
    const names = [...text.matchAll(/^# HELP (\S+)/gm)].map(([, name = '']) => name);
    const rows = names.map((name) => {
      const [, inside = ''] = new RegExp(`^${name}(?:_bucket)?\\{(.*)\\}`, 'm').exec(text) ?? [];
      const labels = [...inside.matchAll(/(\w+)="/g)].flatMap(([, label]) =>
        label === 'le' ? [] : [`\`${label}\``],
      );
      return `| \`${name}\` | ${labels.join(', ')}`.trimEnd();
    });
    const page = readFileSync(new URL('../../../../docs/gateway.md', import.meta.url), 'utf8');
    const written = [...page.matchAll(/^(\| `toolgate_\w+` \|[^|]*)\|/gm)].map(([, row = '']) =>
      row.trimEnd(),
    );
    expect(written).toEqual(rows);
  });

  test('hold nothing that a client or a model wrote', async () => {
    const metrics = createMetrics(sources, { process: false });
    metrics.requestStarted('openai-chat');
    const { route: _, ...unrouted } = entry;
    metrics.requestEnded({
      ...unrouted,
      surface: 'openai-chat',
      model: 'planted',
      principal: 'planted',
      status: 404,
    });
    metrics.call({ ...call, tool: 'planted', detail: 'planted' });
    const text = await metrics.text();
    expect(text).toContain(
      'toolgate_tool_calls_total{origin="llm",verdict="refused",reason="scope_denied"} 1',
    );
    expect(text).toContain('route="none",status="404"');
    expect(text).not.toContain('planted');
  });

  test.each([Number.NaN, -1, Number.POSITIVE_INFINITY, '5'])('take no count of %s tokens', async (count) => {
    const metrics = createMetrics(sources, { process: false });
    const usage = { ...entry.usage, inputTotal: count, outputTotal: null } as TrafficEntry['usage'] & object;
    metrics.requestEnded({ ...entry, usage });
    expect((await linesOf(metrics)).filter((line) => line.startsWith('toolgate_tokens_total'))).toEqual([]);
  });

  test('of two gateways in one process do not mix', async () => {
    const [one, two] = [createMetrics(sources), createMetrics(sources)];
    one.requestStarted('gemini');
    one.requestEnded({ ...entry, surface: 'gemini' });
    expect(await one.text()).toContain('surface="gemini"');
    expect(await two.text()).not.toContain('surface="gemini"');
    expect(await two.text()).toContain('process_resident_memory_bytes');
  });
});
