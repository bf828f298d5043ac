// Clients that cost little: sockets, requests prepared as bytes, answers counted and not parsed.
import { connect } from 'node:net';

const TIMEOUT_MS = 120_000;

/** The bytes of a request. */
export function requestBytes({ headers }, body, connection = 'keep-alive') {
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    'host: 127.0.0.1',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `connection: ${connection}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Sends one request after the other over each of some connections, for `ms` or until there were `most` answers. */
export async function hammer({ port, request, connections, ms, most = Number.POSITIVE_INFINITY }) {
  const latencies = [];
  const since = performance.now();
  const onAnswer = (took) => latencies.push(took);
  const goesOn = (now) => now < since + ms && latencies.length < most;
  await Promise.all(Array.from({ length: connections }, () => hammerOne({ port, request, goesOn, onAnswer })));
  return { count: latencies.length, latencies, ms: performance.now() - since };
}

function hammerOne({ port, request, goesOn, onAnswer }) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0;
    let whole = createEnd();
    const send = () => {
      sentAt = performance.now();
      socket.write(request);
    };
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no answer')));
    socket.once('connect', send);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the connection was closed before the end')));
    socket.on('data', (chunk) => {
      const at = whole(chunk);
      if (!at) return;
      const now = performance.now();
      onAnswer(now - sentAt);
      whole = createEnd();
      if (goesOn(now)) send();
      else {
        resolve();
        socket.destroy();
      }
    });
  });
}

/** Says of each piece whether the answer is whole with it. */
function createEnd() {
  let left;
  return (chunk) => {
    if (left === undefined) {
      const end = chunk.indexOf('\r\n\r\n');
      const head = chunk.toString('latin1', 0, Math.max(end, 0));
      if (end < 0 || !head.startsWith('HTTP/1.1 200')) throw new Error(`a wrong answer: ${chunk.toString('utf8')}`);
      const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
      left = length === undefined ? Number.POSITIVE_INFINITY : Number(length) + end + 4;
    }
    left -= chunk.length;
    return left === Number.POSITIVE_INFINITY ? chunk.subarray(-5).toString('latin1') === '0\r\n\r\n' : left <= 0;
  };
}

/** Opens streams, starts them at the same moment and reads them to their ends. */
export async function openStreams({ port, request, streams }) {
  const sockets = await Promise.all(Array.from({ length: streams }, () => connected(port)));
  const since = performance.now();
  const read = await Promise.all(sockets.map((socket) => readStream(socket, request, since)));
  return {
    first: read.map(({ first }) => first),
    events: read.reduce((sum, { events }) => sum + events, 0),
    ms: performance.now() - since,
  };
}

function connected(port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

function readStream(socket, request, since) {
  return new Promise((resolve, reject) => {
    let first;
    let events = 0;
    let last = 0;
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`silence after ${events} events`)));
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      if (last === 10 && chunk[0] === 10) events += 1;
      for (let at = chunk.indexOf('\n\n'); at >= 0; at = chunk.indexOf('\n\n', at + 2)) events += 1;
      last = chunk[chunk.length - 1];
      if (events > 0) first ??= performance.now() - since;
    });
    socket.on('close', () => resolve({ first, events }));
    socket.write(request);
  });
}

/** Asks once and gives the text of the answer, head included. */
export async function askOnce({ port, request }) {
  const socket = await connected(port);
  const chunks = [];
  socket.write(request);
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Begins a stream and reads nothing for `ms`; then goes. */
export async function stall({ port, request, ms, onStalled }) {
  const socket = await connected(port);
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(request);
  await new Promise((resolve) => setTimeout(resolve, ms));
  await onStalled();
  socket.destroy();
}

/** Reads the first bytes of a stream and goes. @returns When it went, milliseconds since the epoch. */
export async function leaveEarly({ port, request }) {
  const socket = await connected(port);
  socket.write(request);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
  return Date.now();
}
