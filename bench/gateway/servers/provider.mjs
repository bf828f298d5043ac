// A provider that costs next to nothing: no HTTP library, answers prepared as bytes.
import { createServer } from 'node:net';
import { ANSWER, CALL_STREAM, TEXT_STREAM } from '../workload.mjs';
import { report } from './report.mjs';

const bytes = (text) => Buffer.from(text, 'latin1');
const framed = (text) => bytes(`${text.length.toString(16)}\r\n${text}\r\n`);
const WHOLE = bytes(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${ANSWER.length}\r\n\r\n${ANSWER}`,
);
const HEAD = bytes('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n');
const LAST = bytes('0\r\n\r\n');
const TEXT = TEXT_STREAM.map(framed);
const CALL = CALL_STREAM.map(framed);
const FLOOD = framed(TEXT_STREAM[1].repeat(220));
const FLOODS = 1_400;

/** When the last stream was broken by the other side, and how much of a flood was taken. */
let brokenAt = 0;
let flooded = 0;

const server = createServer({ noDelay: true }, (socket) => {
  let kept = [];
  let size = 0;
  let need = 0;
  let onGone = () => undefined;
  socket.on('error', () => undefined);
  socket.on('close', () => onGone());
  socket.on('data', (chunk) => {
    kept.push(chunk);
    size += chunk.length;
    if (need === 0) need = neededBytes(kept.length === 1 ? chunk : Buffer.concat(kept));
    if (need === 0 || size < need) return;
    const request = kept.length === 1 ? chunk : Buffer.concat(kept);
    kept = [];
    size = 0;
    need = 0;
    answer(request);
  });

  function answer(request) {
    if (!request.includes('"stream":true')) {
      socket.write(WHOLE);
      return;
    }
    const at = request.indexOf('"pace-') + 6;
    const pace = request.toString('latin1', at, request.indexOf('"', at));
    socket.write(HEAD);
    const last = request.includes('connection: close') ? () => socket.end(LAST) : () => socket.write(LAST);
    if (pace === 'flood') flood();
    else send(request.includes('"held"') ? CALL : TEXT, Number(pace), last);
  }

  function send(events, pace, last) {
    let next = 0;
    const one = () => {
      socket.write(events[next]);
      next += 1;
      return next < events.length;
    };
    const timer = setInterval(() => {
      if (pace === 0) while (one());
      else if (one()) return;
      clearInterval(timer);
      onGone = () => undefined;
      last();
    }, pace);
    onGone = () => {
      clearInterval(timer);
      brokenAt = Date.now();
    };
  }

  function flood() {
    let left = FLOODS;
    flooded = 0;
    const more = () => {
      while (left > 0 && !socket.destroyed) {
        left -= 1;
        const goesOn = socket.write(FLOOD);
        flooded = socket.bytesWritten - socket.writableLength;
        if (!goesOn) return;
      }
    };
    socket.on('drain', more);
    more();
  }
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  report(server.address().port, () => ({ brokenAt, flooded }));
});

/** Bytes of the whole request, once its head is there. */
function neededBytes(request) {
  const end = request.indexOf('\r\n\r\n');
  if (end < 0) return 0;
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(request.toString('latin1', 0, end)) ?? [];
  if (length === undefined) throw new Error('a request without a length');
  return end + 4 + Number(length);
}
