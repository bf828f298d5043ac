import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { describe, expect, test } from 'vitest';
import type { CallEntry } from '../ports/call-log.ts';
import type { TrafficEntry } from '../ports/traffic-log.ts';
import { createTracing, type TracedRequest } from './tracing.ts';

const request: TracedRequest = {
  surface: 'openai-chat',
  id: 'req-1',
  method: 'POST',
  path: '/v1/chat/completions',
  traceParent: undefined,
};
const ended: TrafficEntry = {
  id: 'req-1',
  at: 0,
  surface: 'openai-chat',
  principal: 'team',
  model: 'asked',
  route: 'main',
  attempts: 1,
  streamed: false,
  status: 200,
  losses: [],
  durationMs: 1,
  requestBytes: 1,
  responseBytes: 1,
  calls: 1,
  generation: 1,
};
const call: CallEntry = {
  id: 'x',
  at: 1_700_000_000_000,
  requestId: 'req-1',
  origin: 'llm',
  place: 'main',
  principal: 'team',
  keyId: 'k',
  callId: 'call_1',
  tool: 'pay',
  verdict: 'allowed',
  reason: 'completed',
  durationMs: 250,
  arguments: '{"card":"planted"}',
};

function tracing() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { exporter, trace: createTracing(provider.getTracer('test')) };
}

describe('a traced request', () => {
  test('has one span, below it one for each exchange and one for each call, with the names of the conventions', () => {
    const { exporter, trace } = tracing();
    const running = trace.start(request);
    const end = running.attempt({ provider: 'up', protocol: 'gemini', model: 'gemini-x', host: 'host' });
    end({
      model: 'gemini-x-001',
      responseId: 'resp',
      finish: 'stop',
      usage: { inputTotal: 3, outputTotal: 4, cacheRead: null, cacheWrite: null, reasoning: null },
    });
    running.call(call);
    running.end(ended);
    const spans = exporter.getFinishedSpans();
    const [chat, tool, root] = spans;
    expect(spans.map(({ name, kind }) => [name, kind])).toEqual([
      ['chat gemini-x', SpanKind.CLIENT],
      ['execute_tool pay', SpanKind.INTERNAL],
      ['POST /v1/chat/completions', SpanKind.SERVER],
    ]);
    expect(chat?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.request.model': 'gemini-x',
      'gen_ai.response.model': 'gemini-x-001',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 3,
      'gen_ai.usage.output_tokens': 4,
    });
    expect(tool?.attributes).toMatchObject({
      'gen_ai.tool.name': 'pay',
      'gen_ai.tool.call.id': 'call_1',
      'toolgate.verdict': 'allowed',
    });
    // It began before it was decided on, and is not longer than what it is part of.
    expect([tool?.startTime, tool?.endTime]).toEqual([
      [1_699_999_999, 750_000_000],
      [1_700_000_000, 0],
    ]);
    expect(root?.attributes).toMatchObject({ 'http.response.status_code': 200, 'toolgate.route': 'main' });
    const rootId = root?.spanContext().spanId;
    expect([chat, tool].map((span) => span?.parentSpanContext?.spanId)).toEqual([rootId, rootId]);
  });

  test('holds no contents', () => {
    const { exporter, trace } = tracing();
    const running = trace.start(request);
    running.call(call);
    running.end(ended);
    const seen = exporter
      .getFinishedSpans()
      .map(({ name, attributes, events }) => [name, attributes, events]);
    expect(JSON.stringify(seen)).not.toContain('planted');
  });

  test.each([
    ['a failure of ours', 502, 'upstream_failed', SpanStatusCode.ERROR],
    ['a stream that broke', 200, 'upstream_cut', SpanStatusCode.ERROR],
    ['a mistake of the client', 400, 'body_malformed', SpanStatusCode.UNSET],
  ])('%s has the status %i and says so', (_, status, error, code) => {
    const { exporter, trace } = tracing();
    const running = trace.start(request);
    running.attempt({ provider: 'up', protocol: 'anthropic', model: 'm', host: 'h' })({ error });
    running.end({ ...ended, status, error });
    const [chat, root] = exporter.getFinishedSpans();
    expect([chat?.status.code, root?.status.code]).toEqual([SpanStatusCode.ERROR, code]);
    expect(root?.attributes['error.type']).toBe(error);
  });

  test('goes on in the trace of the client, and a header that is none begins a new one', () => {
    const { exporter, trace } = tracing();
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = [
      `00-${traceId}-00f067aa0ba902b7-01`,
      `00-${traceId}-0000000000000000-01`,
      `ff-${traceId}-00f067aa0ba902b7-01`,
      `00-${traceId}-00f067aa0ba902b7-01\r\nx: y`,
      '',
      undefined,
    ];
    for (const traceParent of headers) trace.start({ ...request, traceParent }).end(ended);
    const [first, ...others] = exporter.getFinishedSpans();
    expect(first?.spanContext().traceId).toBe(traceId);
    expect(first?.parentSpanContext?.spanId).toBe('00f067aa0ba902b7');
    expect(others).toHaveLength(5);
    for (const span of others) expect(span.spanContext().traceId).not.toBe(traceId);
  });

  test('goes on in a trace of a version that is still to come, which may say more', () => {
    const { exporter, trace } = tracing();
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = [
      'cc-?-00f067aa0ba902b7-01',
      'cc-?-00f067aa0ba902b7-01-more',
      '00-?-00f067aa0ba902b7-01-more',
    ];
    for (const header of headers)
      trace.start({ ...request, traceParent: header.replace('?', traceId) }).end(ended);
    const spans = exporter.getFinishedSpans();
    expect(spans.map((span) => span.spanContext().traceId === traceId)).toEqual([true, true, false]);
  });

  test('is nothing without a tracer', () => {
    const running = createTracing(undefined).start(request);
    running.attempt({ provider: 'up', protocol: 'gemini', model: 'm', host: 'h' })({});
    running.call(call);
    expect(running.end(ended)).toBeUndefined();
  });
});
