import { randomUUID } from 'node:crypto';
// #region results
import { defineTool, toolOutput } from '@toolgate/core';
import { z } from 'zod';

const chartLoad = defineTool({
  name: 'chart_load',
  description: 'Draws the load of a service over the last day.',
  profile: { class: 'read' },
  input: z.object({ service: z.string().max(64) }),
  execute: ({ service }) =>
    toolOutput({
      parts: [
        { kind: 'text', text: `The load of ${service} over the last day.` },
        { kind: 'image', mediaType: 'image/png', data: drawChart(service) },
        { kind: 'file', mediaType: 'text/csv', name: 'load.csv', text: 'hour,load\n0,0.31\n' },
      ],
    }),
});

const readLoad = defineTool({
  name: 'read_load',
  description: 'Reads the present load of a service.',
  profile: { class: 'read' },
  input: z.object({ service: z.string().max(64) }),
  output: z.object({ load: z.number().min(0), unit: z.literal('cores') }),
  execute: ({ service }) => ({ load: loadOf(service), unit: 'cores' }),
});

// #endregion

// #region store
import { type CallContext, createGate, ToolError, type ToolOutput } from '@toolgate/core';

const kept = new Map<string, { readonly user: string | undefined; readonly output: ToolOutput }>();

const readLog = defineTool({
  name: 'read_log',
  description: 'Reads the log of a service.',
  profile: { class: 'read' },
  resultBudget: { bytes: 2_000, overflow: 'store' },
  input: z.object({ service: z.string().max(64) }),
  execute: ({ service }) => logOf(service),
});

const countLines = defineTool({
  name: 'count_lines',
  description: 'Counts the lines with a word in a result that was kept.',
  profile: { class: 'read' },
  input: z.object({ handle: z.string().max(200), word: z.string().max(64) }),
  execute: ({ handle, word }, { context: { user } }: CallContext<{ readonly user: string }>) => {
    const found = kept.get(handle);
    // A handle is what a model wrote: it names a result, and gives nobody a right to it.
    if (found?.user !== user) throw new ToolError('There is no such result.');
    const lines = found.output.text().split('\n');
    return lines.filter((line) => line.includes(word)).length;
  },
});

const gate = createGate({
  tools: [readLog, countLines],
  resultStore: {
    put: ({ output, principal }) => {
      const handle = randomUUID();
      kept.set(handle, { user: principal, output });
      return handle;
    },
  },
});
// #endregion

function drawChart(service: string): string {
  const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  return Buffer.from([...signature, ...Buffer.from(`a picture of ${service}`)]).toString('base64');
}

function loadOf(service: string): number {
  return service === 'broken' ? -1 : 0.31;
}

function logOf(service: string): string {
  return Array.from({ length: 1_000 }, (_, index) => `${service} ${index % 4 === 0 ? 'error' : 'ok'}`).join(
    '\n',
  );
}

export { chartLoad, gate, readLoad };
