// The limits: node:http, the body collected, undici's dispatch, bytes straight to the response. `dispatch` parses nothing;
// `rewrite` parses the request, adds a tool and writes it again, and does the same with every event of a stream.
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { report } from './report.mjs';

const [kind, origin] = process.argv.slice(2);
const rewrites = kind === 'rewrite';
const pool = new Pool(origin, { pipelining: 1, connections: null });
const TOOL = { type: 'function', function: { name: 'done', description: 'Ends.', parameters: { type: 'object' } } };
const END = Buffer.from('\n\n');

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => forward(request, response, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
});
server.keepAliveTimeout = 75_000;
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => report(server.address().port));

function forward(request, response, body) {
  let controller;
  let events;
  response.on('drain', () => controller?.resume());
  response.on('close', () => {
    if (!response.writableFinished) controller?.abort(new Error('gone'));
  });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer upstream' };
  pool.dispatch(
    { path: request.url, method: 'POST', headers, body: rewrites ? rewriteRequest(body) : body },
    {
      onRequestStart(started) {
        controller = started;
      },
      onResponseStart(_controller, status, { 'content-length': length, 'content-type': type }) {
        if (rewrites && type === 'text/event-stream') events = createRewriter();
        response.writeHead(status, { 'content-type': type, ...(length === undefined ? {} : { 'content-length': length }) });
      },
      onResponseData(_controller, chunk) {
        const written = events === undefined ? response.write(chunk) : writeAll(response, events(chunk));
        if (!written) controller.pause();
      },
      onResponseEnd: () => response.end(),
      onResponseError: () => response.destroy(),
    },
  );
}

function rewriteRequest(body) {
  const value = JSON.parse(body.toString('utf8'));
  value.tools.push(TOOL);
  return JSON.stringify(value);
}

function writeAll(response, texts) {
  let goesOn = true;
  for (const text of texts) goesOn = response.write(text);
  return goesOn;
}

/** Splits on bytes, parses and writes each event again. */
function createRewriter() {
  let rest;
  return (chunk) => {
    const all = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    const texts = [];
    let at = 0;
    for (let end = all.indexOf(END); end >= 0; end = all.indexOf(END, at)) {
      const data = all.toString('utf8', at + 6, end);
      texts.push(data === '[DONE]' ? 'data: [DONE]\n\n' : `data: ${JSON.stringify(JSON.parse(data))}\n\n`);
      at = end + 2;
    }
    rest = at < all.length ? all.subarray(at) : undefined;
    return texts;
  };
}
