import { readdirSync, readFileSync } from 'node:fs';
import { createGate, defineTool } from '@toolgate/core';
import { codecOf, type Model, type ModelEvent, PROTOCOLS, type Protocol } from '@toolgate/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { goodbye } from '../../test-support/raw-model.ts';
import { createAgent } from '../create-agent.ts';
import { createMemoryEngine } from '../durable/memory-engine.ts';
import { createDurableAgent } from '../durable-agent/create-durable-agent.ts';
import type { RunResult } from '../run-result.ts';

const fixtures = new URL('../../../testing/fixtures/', import.meta.url);

function recordings(protocol: Protocol): readonly string[] {
  return readdirSync(new URL(`${protocol}/`, fixtures)).filter((name) => name.endsWith('.sse'));
}

/** A model that plays a recording in pieces, and then says goodbye. */
function player(protocol: Protocol, bytes: Uint8Array, cuts: readonly number[]): Model {
  let turn = 0;
  return {
    id: protocol,
    capabilities: new Set(),
    async *stream(): AsyncGenerator<ModelEvent> {
      turn += 1;
      if (turn > 1) {
        yield* goodbye as readonly ModelEvent[];
        return;
      }
      const decoder = codecOf(protocol).decodeStream();
      let from = 0;
      for (const cut of [...cuts, bytes.length]) {
        yield* decoder.push(bytes.subarray(from, cut));
        from = cut;
      }
      yield* decoder.end();
    },
  };
}

const gate = createGate({
  tools: ['get_weather', 'get_time', 'lookup', 'search'].map((name) =>
    defineTool({
      name,
      description: name,
      input: { type: 'object' } as const,
      execute: (input) => ({ name, input }),
    }),
  ),
});

/** What a run is, apart from its id. */
function textOf(result: RunResult): string {
  return JSON.stringify({ ...result, runId: '' });
}

async function streamed(model: Model): Promise<string> {
  for await (const event of createAgent({ model, gate }).stream('go')) {
    if (event.kind === 'run-end') return textOf(event.result);
  }
  throw new Error('no run-end');
}

describe.each(PROTOCOLS)('a recording of %s', (protocol) => {
  test.each(recordings(protocol))(
    '%s gives the same run, streamed or not, durable or not, however it is cut',
    async (name) => {
      const bytes = new Uint8Array(readFileSync(new URL(`${protocol}/${name}`, fixtures)));
      const whole = textOf(await createAgent({ model: player(protocol, bytes, []), gate }).run('go'));
      expect(await streamed(player(protocol, bytes, []))).toBe(whole);

      const agent = createDurableAgent(
        { model: player(protocol, bytes, []), gate },
        { engine: createMemoryEngine },
      );
      await agent.start('r', 'go');
      const { result } = await agent.finished('r');
      await agent.close();
      expect(result?.items).toEqual(JSON.parse(whole).items);
      expect(result?.outcomes).toEqual(JSON.parse(whole).outcomes);

      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat({ max: bytes.length }), { maxLength: 40 }), async (places) => {
          const cuts = places.sort((left, right) => left - right);
          expect(await streamed(player(protocol, bytes, cuts))).toBe(whole);
        }),
        { numRuns: 5 },
      );
      const everywhere = Array.from({ length: bytes.length }, (_, at) => at);
      expect(await streamed(player(protocol, bytes, everywhere))).toBe(whole);
    },
  );
});
