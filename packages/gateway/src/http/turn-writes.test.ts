import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTurnWrites } from './turn-writes.ts';

const turns = createTurnWrites();

const servers: (() => void)[] = [];
afterEach(() => {
  for (const close of servers.splice(0)) close();
});

describe('the end of a turn', () => {
  it('does things in order when the turn is over, and later ones in the next turn', async () => {
    const done: string[] = [];
    turns.atEnd(() => {
      done.push('a');
      turns.atEnd(() => done.push('c'));
    });
    turns.atEnd(() => done.push('b'));
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
    for (const index of all) turns.atEnd(() => done.push(index));
    expect(done).toEqual([]);
    await new Promise<void>((resolve) => process.nextTick(resolve));
    expect(done.length).toBeGreaterThanOrEqual(16);
    await setImmediate();
    expect(done).toEqual(all);
  });
});

describe('a task that throws', () => {
  it('keeps no other one from its turn', () => {
    const due: (() => void)[] = [];
    const immediate = vi.spyOn(globalThis, 'setImmediate').mockImplementation(((turn: () => void) => {
      due.push(turn);
    }) as typeof globalThis.setImmediate);
    try {
      const done: string[] = [];
      turns.atEnd(() => {
        throw new Error('broken');
      });
      for (const name of ['a', 'b']) turns.atEnd(() => done.push(name));
      expect(() => due.shift()?.()).toThrow('broken');
      expect(done).toEqual([]);
      due.shift()?.();
      expect([done, due]).toEqual([['a', 'b'], []]);
    } finally {
      immediate.mockRestore();
    }
  });
});

describe('a held piece', () => {
  it('sends the pieces of one turn together, and those of the next one behind them', async () => {
    const pieces = await served((answer) => {
      for (const piece of ['a', 'b']) {
        turns.hold(answer);
        answer.write(piece);
      }
      setTimeout(() => {
        turns.hold(answer);
        answer.write('c');
      }, 5);
    });
    await expect.poll(() => pieces).toEqual(['ab', 'c']);
  });

  it('sends what was held with the end', async () => {
    const pieces = await served((answer) => {
      turns.hold(answer);
      answer.write('a');
      answer.end('b');
    });
    await expect.poll(() => pieces.join('')).toBe('ab');
  });

  it('minds no response that was broken meanwhile', async () => {
    let broken = false;
    const pieces = await served((answer) => {
      turns.hold(answer);
      answer.write('a');
      answer.destroy();
      turns.hold(answer);
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
