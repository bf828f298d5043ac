import { codecOf, collectResponse, type ModelEvent, type Protocol } from '@toolgate/model';

/** Where a protocol's requests go below a gateway, for the model `m`. */
export function surfacePath(protocol: Protocol, stream: boolean, model = 'm'): string {
  switch (protocol) {
    case 'openai-chat':
      return '/v1/chat/completions';
    case 'openai-responses':
      return '/v1/responses';
    case 'anthropic':
      return '/v1/messages';
    case 'gemini':
      return `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
  }
}

/** The version prefix that a provider of the protocol has in its base URL. */
export function basePath(protocol: Protocol): string {
  return protocol === 'gemini' ? '/v1beta' : '/v1';
}

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };

/**
 * A request with one tool `find`, written by hand: odd spacing, an unknown member, an integer that no double holds. The
 * model is `m`.
 */
export function oddRequest(protocol: Protocol, stream: boolean): string {
  const schema = JSON.stringify(SCHEMA);
  switch (protocol) {
    case 'openai-chat':
      return `{ "model":"m" ,"x_unknown": 12345678901234567890, "stream": ${stream},\n "messages":[{"role":"user","content":"h\\u0069 ü"}],
 "tools":[{"type":"function","function":{"name":"find","parameters":${schema}}}] }`;
    case 'openai-responses':
      return `{ "model":"m" ,"x_unknown": 12345678901234567890, "stream": ${stream},\n "input":"h\\u0069 ü",
 "tools":[{"type":"function","name":"find","parameters":${schema}}] }`;
    case 'anthropic':
      return `{ "model":"m" ,"x_unknown": 12345678901234567890, "max_tokens":1e2, "stream": ${stream},\n "messages":[{"role":"user","content":"h\\u0069 ü"}],
 "tools":[{"name":"find","input_schema":${schema}}] }`;
    case 'gemini':
      return `{ "x_unknown": 12345678901234567890,\n "contents":[{"role":"user","parts":[{"text":"h\\u0069 ü"}]}],
 "tools":[{"functionDeclarations":[{"name":"find","parametersJsonSchema":${schema}}]}] }`;
  }
}

/** The events of a turn with text and calls of `find`. */
export function turnEvents(
  calls: readonly { readonly id: string; readonly arguments: string; readonly name?: string }[],
): readonly ModelEvent[] {
  return [
    { kind: 'response-start', id: 'resp_1', model: 'up', createdAt: 1 },
    { kind: 'text-start', index: 0 },
    { kind: 'text-delta', index: 0, text: 'Look' },
    { kind: 'text-delta', index: 0, text: 'ing ü' },
    { kind: 'text-end', index: 0 },
    ...calls.flatMap(({ arguments: text, id, name = 'find' }, at): readonly ModelEvent[] => {
      const index = at + 1;
      const half = Math.ceil(text.length / 2);
      return [
        { kind: 'call-start', index, callId: id, name },
        { kind: 'call-delta', index, delta: text.slice(0, half) },
        ...(half < text.length ? [{ kind: 'call-delta' as const, index, delta: text.slice(half) }] : []),
        { kind: 'call-end', index, callId: id, name, arguments: text },
      ];
    }),
    {
      kind: 'usage',
      usage: { inputTotal: 12, cacheRead: null, cacheWrite: null, outputTotal: 7, reasoning: null },
    },
    { kind: 'response-end', finish: calls.length === 0 ? 'stop' : 'tool-calls' },
  ];
}

/** The stream of some events in a protocol, event by event as a provider writes them. */
export function wireStream(protocol: Protocol, events: readonly ModelEvent[]): readonly string[] {
  const encoder = codecOf(protocol).encodeStream({ includeUsage: true });
  return events.map((event) => encoder.push(event)).filter((text) => text !== '');
}

/** The whole answer of some events in a protocol. */
export function wireAnswer(protocol: Protocol, events: readonly ModelEvent[]): string {
  return JSON.stringify(codecOf(protocol).encodeResponse(collectResponse(events)).value, null, 1);
}

/** What a client of a protocol reads out of a stream. */
export function readStream(protocol: Protocol, body: string): readonly ModelEvent[] {
  const decoder = codecOf(protocol).decodeStream();
  return [...decoder.push(Buffer.from(body)), ...decoder.end()];
}
