import { type Context, ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api';

/** The first version has 55 characters; one that is not known yet may say more behind what all of them say. */
const TRACE_PARENT =
  /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

/**
 * The context of a caller that traces, from its `traceparent` header; the root where there is none that can be read.
 *
 * @see W3C Trace Context, section 3.2: a header that is malformed starts a new trace.
 */
export function readTraceParent(header: string | undefined): Context {
  const match = header === undefined ? null : TRACE_PARENT.exec(header);
  if (match === null) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = '00'] = match;
  const sampled = (Number.parseInt(flags, 16) & TraceFlags.SAMPLED) === TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  });
}
