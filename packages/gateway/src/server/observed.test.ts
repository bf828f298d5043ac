import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ask } from '../../test-support/admin.ts';
import { answerOf, withRawProvider } from '../../test-support/ask-raw.ts';
import {
  type GatewaySetup,
  type TestGateway,
  testConfig,
  testFirewall,
} from '../../test-support/gateway-fixture.ts';
import { connect, withBank } from '../../test-support/mcp-fixture.ts';
import { post, type RawAnswered } from '../../test-support/post.ts';
import { sendEvents, sendJson } from '../../test-support/raw-provider.ts';
import { oddRequest, turnEvents, wireStream } from '../../test-support/wire-samples.ts';
import { createGateway } from './create-gateway.ts';

const CHAT = 'openai-chat';
const CALL = { id: 'c1', arguments: '{"path":"planted-argument"}' };
const whole = (calls = [CALL]) => answerOf(CHAT, true, turnEvents(calls));

const call = (
  { url }: TestGateway,
  body = oddRequest(CHAT, true),
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswered> => post(`${url}/v1/chat/completions`, body, { headers });

const metricsOf = async ({ url }: TestGateway): Promise<string> =>
  (await post(`${url}/metrics`, '', { method: 'GET', key: '' })).body;

/** A tracer whose spans are kept. */
function keptSpans() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { tracer: provider.getTracer('test'), spans: () => exporter.getFinishedSpans() };
}

const named = (spans: readonly ReadableSpan[], name: string): ReadableSpan => {
  const [span] = spans.filter((each) => each.name === name);
  if (span === undefined)
    throw new Error(`no span ${name}; there are ${spans.map((each) => each.name).join()}`);
  return span;
};

describe('the metrics', () => {
  test('count what went through, with labels of ours alone', async () => {
    const firewall = testFirewall({ scope: { allow: [], deny: ['find'] } });
    const setup: Omit<GatewaySetup, 'providers'> = {
      grants: { admin: true },
      routes: [
        { model: 'm', candidates: [{ provider: 'm', model: undefined }] },
        { model: 'n', candidates: [{ provider: 'm', model: undefined }], firewall },
      ],
    };
    await withRawProvider(CHAT, [whole(), whole(), sendJson('{"error":{}}', 500)], setup, async (gateway) => {
      await call(gateway);
      await call(gateway, oddRequest(CHAT, true).replace('"m"', '"n"'));
      await call(gateway);
      await call(gateway, '{"model":"made-up-by-a-stranger","messages":[]}');
      const text = await metricsOf(gateway);
      for (const line of [
        'toolgate_requests_total{surface="openai-chat",route="m",status="200"} 1',
        'toolgate_requests_total{surface="openai-chat",route="n",status="200"} 1',
        'toolgate_requests_total{surface="openai-chat",route="m",status="502"} 1',
        'toolgate_requests_total{surface="openai-chat",route="none",status="404"} 1',
        'toolgate_requests_in_flight{surface="openai-chat"} 0',
        'toolgate_request_errors_total{surface="openai-chat",code="model_not_found"} 1',
        'toolgate_tool_calls_total{origin="llm",verdict="allowed",reason="permitted"} 1',
        'toolgate_tokens_total{route="m",direction="input"} 12',
        'toolgate_tokens_total{route="m",direction="output"} 7',
        'toolgate_approvals_pending 0',
        'toolgate_config_generation 1',
        'toolgate_log_entries_dropped{log="calls"} 0',
      ])
        expect(text.split('\n')).toContain(line);
      expect(text).toMatch(/toolgate_tool_calls_total\{origin="llm",verdict="refused",reason="\w+"\} 1/);
      expect(text).toMatch(/toolgate_request_duration_seconds_count\{surface="openai-chat",route="m"\} 2/);
      expect(text).not.toMatch(/made-up|planted|ana|client/);
    });
  });

  test('count the approvals that wait, also those from before a restart', async () => {
    const { gateway, setup } = await withBank({
      server: { approvalThreshold: 'write' },
      grants: { admin: true },
    });
    const client = await connect(gateway);
    for (const amount of [1, 2]) await client.callTool({ name: 'bank__pay', arguments: { amount } });
    const [first] = (await gateway.stores.approvals.list()).items;
    await ask(gateway, `/api/approvals/${first?.id ?? ''}/approve`, {});
    await expect.poll(() => metricsOf(gateway)).toContain('toolgate_approvals_pending 1\n');
    const text = await metricsOf(gateway);
    expect(text).toContain('toolgate_approval_changes_total{status="approved"} 1');
    expect(text).toContain(
      'toolgate_tool_calls_total{origin="mcp",verdict="refused",reason="approval_pending"} 2',
    );
    expect(text).toMatch(/toolgate_requests_total\{surface="mcp",route="mcp",status="200"\} [1-9]/);
    const { stores } = gateway;
    const again = await createGateway({ config: testConfig(setup), stores, processMetrics: false });
    onTestFinished(() => again.close(0));
    expect(await metricsOf({ ...gateway, url: await again.listen() })).toContain(
      'toolgate_approvals_pending 1\n',
    );
  });
});

describe('the spans', () => {
  test('show a request, its exchange and its call under the trace of the client, without contents', async () => {
    const { spans, tracer } = keptSpans();
    const setup = { options: { tracer } };
    await withRawProvider(CHAT, [whole()], setup, async (gateway) => {
      const traceId = '0af7651916cd43dd8448eb211c80319c';
      await call(gateway, oddRequest(CHAT, true), { traceparent: `00-${traceId}-b7ad6b7169203331-01` });
      await expect.poll(() => spans().length).toBe(3);
      const server = named(spans(), 'POST /v1/chat/completions');
      const exchange = named(spans(), 'chat m');
      const tool = named(spans(), 'execute_tool find');
      expect(server.kind).toBe(SpanKind.SERVER);
      expect(server.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
      expect(server.attributes).toMatchObject({
        'http.response.status_code': 200,
        'toolgate.route': 'm',
        'toolgate.principal': 'ana',
      });
      expect(exchange.kind).toBe(SpanKind.CLIENT);
      expect(exchange.attributes).toMatchObject({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'm',
        'gen_ai.response.model': 'up',
        'gen_ai.response.finish_reasons': ['tool-calls'],
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.usage.output_tokens': 7,
        'server.address': '127.0.0.1',
      });
      expect(tool.attributes).toMatchObject({ 'gen_ai.tool.name': 'find', 'toolgate.verdict': 'allowed' });
      for (const span of [exchange, tool]) {
        expect(span.spanContext().traceId).toBe(traceId);
        expect(span.parentSpanContext?.spanId).toBe(server.spanContext().spanId);
      }
      expect(JSON.stringify(spans().map(({ attributes }) => attributes))).not.toContain('planted');
    });
  });

  test('show each candidate that was tried, and what was wrong with it', async () => {
    const { spans, tracer } = keptSpans();
    const candidates = ['first', 'second'].map((model) => ({ provider: 'm', model }));
    const setup: Omit<GatewaySetup, 'providers'> = {
      routes: [{ model: 'm', candidates }],
      options: { tracer },
    };
    await withRawProvider(CHAT, [sendJson('{"error":{}}', 503), whole([])], setup, async (gateway) => {
      await call(gateway);
      await expect.poll(() => spans().length).toBe(3);
      expect(named(spans(), 'chat first').attributes['error.type']).toBe('upstream_overloaded');
      expect(named(spans(), 'chat first').status.code).toBe(SpanStatusCode.ERROR);
      expect(named(spans(), 'chat second').status.code).toBe(SpanStatusCode.UNSET);
    });
  });

  test('end also when the client leaves in the middle', async () => {
    const { spans, tracer } = keptSpans();
    const begun = sendEvents(wireStream(CHAT, turnEvents([])).slice(0, 2), 'stay');
    await withRawProvider(CHAT, [begun], { options: { tracer } }, async (gateway, provider) => {
      const controller = new AbortController();
      const asked = post(`${gateway.url}/v1/chat/completions`, oddRequest(CHAT, true), {
        signal: controller.signal,
      }).catch(() => undefined);
      await expect.poll(() => provider.requests.length).toBe(1);
      controller.abort();
      await asked;
      await expect
        .poll(() => spans().map(({ name }) => name))
        .toEqual(['chat m', 'POST /v1/chat/completions']);
      expect(named(spans(), 'POST /v1/chat/completions').attributes['http.response.status_code']).toBe(499);
    });
  });

  test('show calls of MCP clients', async () => {
    const { spans, tracer } = keptSpans();
    const { gateway } = await withBank({ options: { tracer } });
    const client = await connect(gateway, '/mcp/bank');
    await client.callTool({ name: 'bank__read', arguments: {} });
    await expect.poll(() => spans().some(({ name }) => name === 'execute_tool bank__read')).toBe(true);
    const tool = named(spans(), 'execute_tool bank__read');
    expect(tool.attributes).toMatchObject({ 'toolgate.origin': 'mcp', 'toolgate.reason': 'completed' });
    await expect
      .poll(() => spans().map((span) => span.spanContext().spanId))
      .toContain(tool.parentSpanContext?.spanId);
    const parent = spans().find((span) => span.spanContext().spanId === tool.parentSpanContext?.spanId);
    expect(parent?.name).toBe('POST /mcp/{server}');
    expect(trace.getActiveSpan()).toBe(undefined);
  });
});
