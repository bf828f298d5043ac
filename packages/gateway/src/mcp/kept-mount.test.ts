import { McpError, type McpMount } from '@toolgate/mcp';
import { createFakeClock } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { type KeptMount, keepMounted } from './kept-mount.ts';
import type { McpCaller } from './mcp-exchange.ts';

const away = () => new McpError('mcp/unavailable', 'The server is not there.');

/** A mount over a server that is there or not, as a test says. */
function keep(server: { there: boolean; fault?: () => unknown; hangs?: boolean }) {
  const clock = createFakeClock();
  const tries: number[] = [];
  const states: string[] = [];
  let closed = 0;
  let connected = false;
  const connect = async (signal: AbortSignal): Promise<void> => {
    tries.push(clock.now());
    await Promise.resolve();
    if (server.hangs === true)
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    if (!server.there) throw (server.fault ?? away)();
    connected = true;
  };
  const mount = {
    name: 'bank',
    get connected() {
      return connected;
    },
    refresh: (signal: AbortSignal) => connect(signal),
    report: { problems: [{ code: 'mcp/interrupted', message: 'It broke.', at: 0 }] },
    close: async () => {
      closed += 1;
    },
  } as unknown as McpMount<McpCaller>;
  const kept: KeptMount = keepMounted({
    clock,
    mount: async (signal) => {
      await connect(signal);
      return mount;
    },
    said: () => undefined,
    onChange: () => states.push(kept.state),
  });
  return {
    clock,
    kept,
    states,
    tries,
    loseConnection: () => {
      connected = false;
    },
    get closed() {
      return closed;
    },
  };
}

describe('a server that is not there at the start', () => {
  test('is tried again, more and more rarely, until it is', async () => {
    const server = { there: false };
    const { clock, kept, states, tries } = keep(server);
    await kept.first;
    expect([kept.state, kept.error?.code, kept.mount]).toEqual(['failed', 'mcp/unavailable', undefined]);
    for (let step = 0; step < 8; step += 1) await clock.advanceToNext();
    const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    server.there = true;
    await clock.advanceToNext();
    expect([kept.state, kept.error, states]).toEqual(['mounted', undefined, ['failed', 'mounted']]);
    expect(clock.pending).toBe(0);
    await kept.close();
  });

  test('is tried at once when a new configuration comes', async () => {
    const server = { there: false };
    const { clock, kept, tries } = keep(server);
    await kept.first;
    server.there = true;
    kept.hurry();
    await clock.advance(0);
    expect([kept.state, tries.length, clock.pending]).toEqual(['mounted', 2, 0]);
    kept.hurry();
    await clock.advance(0);
    expect(tries).toHaveLength(2);
    await kept.close();
  });

  test.each([
    ['options that make no sense', () => new McpError('mcp/options-invalid', 'no')],
    ['a defect', () => new TypeError('no')],
  ])('is not tried again for %s', async (_, fault) => {
    const { clock, kept } = keep({ there: false, fault });
    await expect(kept.first).rejects.toThrow('no');
    expect(clock.pending).toBe(0);
    await kept.close();
  });
});

describe('a server that was there', () => {
  test('and lost its connection gets another one by itself', async () => {
    const server = { there: true };
    const { clock, kept, loseConnection, states, tries } = keep(server);
    await kept.first;
    kept.look();
    expect(clock.pending).toBe(0);
    server.there = false;
    loseConnection();
    kept.look();
    kept.look();
    expect([kept.state, kept.error, clock.pending]).toEqual([
      'broken',
      { code: 'mcp/interrupted', message: 'It broke.' },
      1,
    ]);
    await clock.advanceToNext();
    expect(kept.error?.code).toBe('mcp/unavailable');
    expect(kept.mount).toBeDefined();
    server.there = true;
    await clock.advanceToNext();
    expect([states, tries.length]).toEqual([['mounted', 'broken', 'mounted'], 3]);
    await kept.close();
  });
});

describe('a server that is closed', () => {
  test.each([
    ['while it is there', { there: true }, 1],
    ['while it waits to be tried again', { there: false }, 0],
    ['while it hangs', { there: true, hangs: true }, 0],
  ])('%s leaves nothing behind', async (_, server, closes) => {
    const kept = keep(server);
    if (!('hangs' in server)) await kept.kept.first;
    else await kept.clock.advance(0);
    await kept.kept.close();
    expect([kept.clock.pending, kept.closed]).toEqual([0, closes]);
    const tries = kept.tries.length;
    await kept.clock.advance(600_000);
    expect(kept.tries).toHaveLength(tries);
  });
});
