import { createAgent, type RunResult } from '@toolgate/agent';
import { createGate, defineTool, type JsonObject, readJson } from '@toolgate/core';
import { type Codec, codecOf, createHttpModel, type Item, type Protocol } from '@toolgate/model';

/** What an agent did with the answers of one provider. */
export interface Conversation {
  /** Arguments of every execution of the one tool, in order. */
  readonly ran: readonly unknown[];
  readonly result: RunResult;
  /** The request bodies, as they went out. */
  readonly bodies: readonly JsonObject[];
  /** The histories of the requests, read back from the wire. */
  readonly histories: readonly (readonly Item[])[];
}

/** The tool that the agent of {@link converse} has. It takes any object. */
export const TOOL = 'save';

/** Runs an agent with one tool over a driver whose provider gives these streamed bodies, one for each request. */
export async function converse(
  protocol: Protocol,
  bodies: readonly string[],
  options: { readonly codec?: Codec; readonly hasTool?: boolean } = {},
): Promise<Conversation> {
  const codec = options.codec ?? codecOf(protocol);
  const sent: JsonObject[] = [];
  const ran: unknown[] = [];
  const model = createHttpModel({
    codec,
    model: 'm',
    baseUrl: 'http://model.test',
    retry: { attempts: 1 },
    schemas: 'as-written',
    fetch: (_url, { body }) => {
      const text = bodies[sent.length];
      sent.push(readJson(typeof body === 'string' ? body : '') as JsonObject);
      if (text === undefined) throw new TypeError('one request too many');
      return Promise.resolve(new Response(text, { headers: { 'content-type': 'text/event-stream' } }));
    },
  });
  const tool = defineTool({
    name: TOOL,
    description: 'Saves.',
    input: { type: 'object' },
    profile: { class: 'write' },
    execute: (input) => {
      ran.push(input);
      return 'saved';
    },
  });
  const result = await createAgent({
    model,
    gate: createGate({ tools: options.hasTool === false ? [] : [tool] }),
  }).run('go');
  const histories = sent.map((body) => codec.decodeRequest(body, { model: 'm' }).value.items);
  return { ran, result, bodies: sent, histories };
}

/** The results of a history by the id of their call. */
export function resultsOf(items: readonly Item[]): readonly (readonly [callId: string, text: string])[] {
  return items.flatMap((item) =>
    item.kind === 'tool-result'
      ? [[item.callId, item.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')] as const]
      : [],
  );
}
