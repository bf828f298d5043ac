import { trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { expect, onTestFinished, test } from 'vitest';
import { globalTracer } from './global-tracer.ts';

test('there is a tracer when an SDK was registered, and its spans go there', () => {
  expect(globalTracer()).toBeUndefined();
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
  onTestFinished(() => trace.disable());
  globalTracer()?.startSpan('one').end();
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['one']);
});
