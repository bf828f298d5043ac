// What is measured: short slices, all candidates in turn within a round, in alternating order.
import { askOnce, hammer, leaveEarly, openStreams, requestBytes, stall } from './client.mjs';
import { EVENTS, requestBody } from './workload.mjs';

/** Writes of logs that come behind the answers belong to the slice. */
const SETTLE_MS = 300;
const STALL_MS = 3_000;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The value below which a share of the numbers lies. @param {readonly number[]} numbers @param {number} share */
export function quantile(numbers, share) {
  const sorted = numbers.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** Runs a slice for each name in each round. @returns {Promise<Record<string, object[]>>} What the slices gave, by name. */
export async function interleave(names, rounds, slice) {
  const results = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      try {
        results[name].push(await slice(name));
      } catch (cause) {
        throw new Error(`${name} failed in round ${round + 1}`, { cause });
      }
    }
  }
  return results;
}

/** Requests one after the other over some connections. */
export async function jsonSlice({ server, model, ...path }, { size, connections, ms, most }) {
  const request = requestBytes(path, requestBody({ size, model }));
  const before = await server.facts();
  const { count, latencies, ms: took } = await hammer({ port: server.port, request, connections, ms, most });
  await pause(SETTLE_MS);
  const after = await server.facts();
  return {
    rate: (count * 1_000) / took,
    cpu: (after.cpu - before.cpu) / count,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}

/** Streams that begin at the same moment. */
export async function streamSlice({ server, model, ...path }, { streams, pace }) {
  const body = requestBody({ size: '2 KB', model, stream: true, pace: String(pace) });
  const request = requestBytes(path, body, 'close');
  const before = await server.facts();
  const { events, first, ms } = await openStreams({ port: server.port, request, streams });
  await pause(SETTLE_MS);
  const after = await server.facts();
  if (events < streams * (EVENTS - 5) && model !== 'held') throw new Error(`${model}: ${events} events of ${streams} streams`);
  return {
    rate: (events * 1_000) / ms,
    // By what the provider sent: a firewall may say a held call in fewer events.
    cpu: (after.cpu - before.cpu) / (streams * EVENTS),
    p50: quantile(first, 0.5),
    p99: quantile(first, 0.99),
    maxRss: after.maxRss,
  };
}

/** How long after its client the request at the provider ends. */
export async function gone({ server, model, ...path }, provider) {
  const body = requestBody({ size: '2 KB', model, stream: true, pace: '20' });
  const leftAt = await leaveEarly({ port: server.port, request: requestBytes(path, body, 'close') });
  for (let waited = 0; waited < 40; waited++) {
    const { brokenAt } = await provider.facts();
    if (brokenAt >= leftAt) return { ms: brokenAt - leftAt };
    await pause(50);
  }
  return { ms: Number.POSITIVE_INFINITY };
}

/** What a stream whose client reads nothing costs: memory of the gateway, and bytes it took. */
export async function stuck({ server, model, ...path }, provider) {
  const body = requestBody({ size: '2 KB', model, stream: true, pace: 'flood' });
  const before = await server.facts();
  const result = { rss: 0, taken: 0 };
  await stall({
    port: server.port,
    request: requestBytes(path, body, 'close'),
    ms: STALL_MS,
    async onStalled() {
      result.rss = (await server.facts()).rss - before.rss;
      result.taken = (await provider.facts()).flooded;
    },
  });
  return result;
}

/** Refuses to time a path that does not give the whole answer. */
export async function verify(name, { server, model, ...path }) {
  for (const stream of [false, true]) {
    const request = requestBytes(path, requestBody({ size: '2 KB', model, stream }), 'close');
    // The provider keeps its connections open.
    const text = name === 'direct' ? '' : await askOnce({ port: server.port, request });
    const isWhole = text.startsWith('HTTP/1.1 200') && text.includes('find_0') && text.includes('"tool_calls"');
    if (name !== 'direct' && !isWhole) throw new Error(`${name} gives a wrong answer: ${text.slice(0, 2_000)}`);
  }
}
