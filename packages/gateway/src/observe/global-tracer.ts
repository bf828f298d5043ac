import { type ProxyTracerProvider, type Tracer, type TracerProvider, trace } from '@opentelemetry/api';

const NAME = 'toolgate';

/**
 * The tracer of the OpenTelemetry SDK that this process has registered, for example by a module that Node.js was told to
 * load first.
 *
 * @returns `undefined` where none is registered, so that nothing is paid for spans that nobody takes.
 */
export function globalTracer(): Tracer | undefined {
  const provider: TracerProvider & Partial<Pick<ProxyTracerProvider, 'getDelegateTracer'>> =
    trace.getTracerProvider();
  // What the API gives before there is an SDK stands in for one that may still come.
  return provider.getDelegateTracer === undefined
    ? provider.getTracer(NAME)
    : provider.getDelegateTracer(NAME);
}
