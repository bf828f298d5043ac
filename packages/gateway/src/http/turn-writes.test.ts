import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTurnWrites } from './turn-writes.ts';

const { atEnd, hold } = createTurnWrites();

const servers: (() => void)[] = [];
afterEach(() => {
  for (const close of servers.splice(0)) close();
});

describe('the end of a turn', () => {
  it('does things in order when the turn is over, and later ones in the next turn', async () => {
    const done: string[] = [];
    atEnd(() => {
      done.push('a');
      atEnd(() => done.push('c'));
    });
    atEnd(() => done.push('b'));
    await Promise.resolve();
    expect(done).toEqual([]);
    await setImmediate();
    expect(done).toEqual(['a', 'b']);
    await setImmediate();
    expect(done).toEqual(['a', 'b', 'c']);
  });

  it('does many things before the turn is over, each once', async () => {
    const done: number[] = [];
    const all = Array.from({ length: 40 }, (_, index) => index);
    for (const index of all) atEnd(() => done.push(index));
    expect(done).toEqual([]);
    await new Promise<void>((resolve) => process.nextTick(resolve));
    expect(done.length).toBeGreaterThanOrEqual(16);
    await setImmediate();
    expect(done).toEqual(all);
  });
});

describe('a task that throws', () => {
  it('keeps no other one from its turn', () => {
    const turns: (() => void)[] = [];
    const immediate = vi.spyOn(globalThis, 'setImmediate').mockImplementation(((turn: () => void) => {
      turns.push(turn);
    }) as typeof globalThis.setImmediate);
    try {
      const done: string[] = [];
      atEnd(() => {
        throw new Error('broken');
      });
      for (const name of ['a', 'b']) atEnd(() => done.push(name));
      expect(() => turns.shift()?.()).toThrow('broken');
      expect(done).toEqual([]);
      turns.shift()?.();
      expect([done, turns]).toEqual([['a', 'b'], []]);
    } finally {
      immediate.mockRestore();
    }
  });
});

describe('a held piece', () => {
  it('sends the pieces of one turn together, and those of the next one behind them', async () => {
    const pieces = await served((answer) => {
      for (const piece of ['a', 'b']) {
        hold(answer);
        answer.write(piece);
      }
      setTimeout(() => {
        hold(answer);
        answer.write('c');
      }, 5);
    });
    await expect.poll(() => pieces).toEqual(['ab', 'c']);
  });

  it('sends what was held with the end', async () => {
    const pieces = await served((answer) => {
      hold(answer);
      answer.write('a');
      answer.end('b');
    });
    await expect.poll(() => pieces.join('')).toBe('ab');
  });

  it('minds no response that was broken meanwhile', async () => {
    let broken = false;
    const pieces = await served((answer) => {
      hold(answer);
      answer.write('a');
      answer.destroy();
      hold(answer);
      broken = true;
    });
    await expect.poll(() => broken).toBe(true);
    await setImmediate();
    expect(pieces).toEqual([]);
  });
});

/** What comes to a client of a response, byte by byte. */
async function served(answer: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  servers.push(() => {
    socket.destroy();
    server.close();
  });
  socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
  const pieces: string[] = [];
  socket.setEncoding('latin1').on('data', (piece: string) => pieces.push(bodyOf(piece)));
  return pieces;
}

/** What of some bytes is neither head nor framing. */
function bodyOf(piece: string): string {
  const body = piece.startsWith('HTTP') ? piece.slice(piece.indexOf('\r\n\r\n') + 4) : piece;
  return body.replace(/\d*\r\n/g, '');
}
