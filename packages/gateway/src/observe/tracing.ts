import {
  type Attributes,
  type Context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Protocol, Usage } from '@toolgate/model';
import type { CallEntry } from '../ports/call-log.ts';
import type { Surface, TrafficEntry } from '../ports/traffic-log.ts';
import { readTraceParent } from './trace-parent.ts';

/** A request at its door. */
export interface TracedRequest {
  readonly surface: Surface;
  /** The request id. */
  readonly id: string;
  readonly method: string;
  /** The route pattern of the address, never the address itself. */
  readonly path: string;
  /** Of the client, where it sends one. */
  readonly traceParent: string | undefined;
}

/** One exchange with a provider. */
export interface TracedAttempt {
  readonly provider: string;
  readonly protocol: Protocol;
  /** As asked of the provider. */
  readonly model: string;
  readonly host: string;
}

/** How an exchange ended. */
export interface AttemptEnd {
  readonly model?: string | null;
  readonly responseId?: string | null;
  readonly finish?: string;
  readonly usage?: Usage | null;
  /** Our code, when it failed. */
  readonly error?: string;
}

/** The trace of one request. Everything in it is metadata: no prompt, no argument, no result. */
export interface RequestTrace {
  /** @returns Ends the span; only the first call counts. */
  attempt(attempt: TracedAttempt): (end: AttemptEnd) => void;
  /** A tool call that was decided on, or is over; it took `durationMs` until then. */
  call(entry: CallEntry): void;
  /** Only the first call counts. */
  end(entry: TrafficEntry): void;
}

/** Makes the traces of requests. */
export interface Tracing {
  start(request: TracedRequest): RequestTrace;
}

/** Names of providers as the GenAI conventions have them. */
const PROVIDERS: Readonly<Record<Protocol, string>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'gcp.gemini',
};

const untraced: RequestTrace = Object.freeze({
  attempt: () => () => undefined,
  call: () => undefined,
  end: () => undefined,
});

/**
 * Spans with the semantic conventions of OpenTelemetry for HTTP and for generative AI: one server span for a request,
 * one client span `chat <model>` for each exchange with a provider, one `execute_tool <name>` for each call.
 *
 * @param tracer - `undefined`: nothing is traced, at no cost.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */
export function createTracing(tracer: Tracer | undefined): Tracing {
  if (tracer === undefined) return Object.freeze({ start: () => untraced });
  return Object.freeze({ start: (request: TracedRequest) => startTrace(tracer, request) });
}

function startTrace(tracer: Tracer, request: TracedRequest): RequestTrace {
  const parent = readTraceParent(request.traceParent);
  const span = tracer.startSpan(
    `${request.method} ${request.path}`,
    {
      kind: SpanKind.SERVER,
      attributes: {
        'http.request.method': request.method,
        'http.route': request.path,
        'toolgate.surface': request.surface,
        'toolgate.request.id': request.id,
      },
    },
    parent,
  );
  const context = trace.setSpan(parent, span);
  return Object.freeze({
    attempt: (attempt: TracedAttempt) => startAttempt(tracer, context, attempt),
    call: (entry: CallEntry) => addCall(tracer, context, entry),
    end(entry: TrafficEntry) {
      span.setAttributes(
        present({
          'http.response.status_code': entry.status,
          'toolgate.route': entry.route,
          'toolgate.principal': entry.principal,
          'toolgate.attempts': entry.attempts,
          'toolgate.losses': entry.losses.length,
          'error.type': entry.error,
        }),
      );
      // Only what is the server's fault is an error of a server span.
      if (entry.status >= 500 || (entry.error !== undefined && entry.status < 400)) {
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  });
}

function startAttempt(tracer: Tracer, context: Context, attempt: TracedAttempt): (end: AttemptEnd) => void {
  const span: Span = tracer.startSpan(
    `chat ${attempt.model}`,
    {
      kind: SpanKind.CLIENT,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': PROVIDERS[attempt.protocol],
        'gen_ai.request.model': attempt.model,
        'server.address': attempt.host,
        'toolgate.provider': attempt.provider,
      },
    },
    context,
  );
  return (end) => {
    span.setAttributes(
      present({
        'gen_ai.response.model': end.model,
        'gen_ai.response.id': end.responseId,
        'gen_ai.response.finish_reasons': end.finish === undefined ? undefined : [end.finish],
        'gen_ai.usage.input_tokens': end.usage?.inputTotal,
        'gen_ai.usage.output_tokens': end.usage?.outputTotal,
        'error.type': end.error,
      }),
    );
    if (end.error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
}

function addCall(tracer: Tracer, context: Context, entry: CallEntry): void {
  const span = tracer.startSpan(
    `execute_tool ${entry.tool}`,
    {
      kind: SpanKind.INTERNAL,
      startTime: entry.at - (entry.durationMs ?? 0),
      attributes: present({
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': entry.tool,
        'gen_ai.tool.call.id': entry.callId,
        'gen_ai.tool.type': 'function',
        'toolgate.origin': entry.origin,
        'toolgate.verdict': entry.verdict,
        'toolgate.reason': entry.reason,
        'toolgate.approval.id': entry.approvalId,
      }),
    },
    context,
  );
  span.end(entry.at);
}

/** Without what is not known. */
function present(attributes: Readonly<Record<string, Attributes[string] | null>>): Attributes {
  const kept: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) kept[name] = value;
  }
  return kept;
}
