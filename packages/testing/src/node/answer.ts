import type { ServerResponse } from 'node:http';
import {
  type Codec,
  codecOf,
  createResponseCollector,
  type ModelCall,
  type ModelEvent,
  type Protocol,
} from '@toolgate/model';
import type { ScriptedFault } from '../scripted-model/script.ts';

/** Writes one answer of a scripted model to its client, streamed or whole. */
export type Answer = (
  call: ModelCall,
  events: AsyncIterable<ModelEvent>,
  fault: ScriptedFault | undefined,
  response: ServerResponse,
) => Promise<void>;

const GARBAGE = 'data: {"oops\n\n';

/** Makes the writer of one protocol; see `ProviderServerConfig.pieceBytes`. */
export function createAnswer(protocol: Protocol, pieceBytes: number | undefined): Answer {
  const codec = codecOf(protocol);
  return (call, events, fault, response) =>
    call.stream === true
      ? streamAnswer(codec, call, events, fault, response, pieceBytes)
      : wholeAnswer(codec, events, fault, response);
}

async function streamAnswer(
  codec: Codec,
  call: ModelCall,
  events: AsyncIterable<ModelEvent>,
  fault: ScriptedFault | undefined,
  response: ServerResponse,
  pieceBytes: number | undefined,
): Promise<void> {
  const encoder = codec.encodeStream({ model: call.model, includeUsage: call.streamUsage === true });
  for await (const event of events) {
    if (response.destroyed) return;
    if (!response.headersSent) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_1' });
      response.flushHeaders();
    }
    if (event.kind === 'response-error' && fault !== undefined) {
      await breakOff(fault, response);
      return;
    }
    const bytes = new TextEncoder().encode(encoder.push(event));
    const size = pieceBytes ?? bytes.length;
    for (let at = 0; at < bytes.length; at += size) await write(response, bytes.subarray(at, at + size));
  }
  response.end();
}

async function wholeAnswer(
  codec: Codec,
  events: AsyncIterable<ModelEvent>,
  fault: ScriptedFault | undefined,
  response: ServerResponse,
): Promise<void> {
  const collector = createResponseCollector();
  for await (const event of events) collector.push(event);
  const body = JSON.stringify(codec.encodeResponse(collector.response()).value);
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': fault === undefined ? Buffer.byteLength(body) : Buffer.byteLength(body) + 1,
    'x-request-id': 'req_1',
  });
  if (fault === undefined) response.end(body);
  else await breakOff({ kind: 'cut-off', abrupt: true }, response, body.slice(0, body.length / 2));
}

/** Ends an answer in the way of a fault, after everything before it was sent. */
async function breakOff(fault: ScriptedFault, response: ServerResponse, last = ''): Promise<void> {
  const text = fault.kind === 'garbage' ? (fault.text ?? GARBAGE) : last;
  await new Promise<void>((resolve) => {
    response.write(text === '' ? ': \n' : text, () => resolve());
  });
  if (fault.kind === 'cut-off' && fault.abrupt === true) response.destroy();
  else response.end();
}

/** Writes, and waits until the client takes more or is gone. */
async function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (response.write(bytes) || response.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
}
