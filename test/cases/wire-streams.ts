import type { Protocol } from '@toolgate/model';

/** A call as a provider streams it: its arguments in pieces, whatever they join to. */
export interface StreamedCall {
  readonly id: string;
  readonly name: string;
  readonly pieces: readonly string[];
}

/** An answer as a provider streams it. */
export interface StreamedAnswer {
  readonly text?: string;
  readonly calls?: readonly StreamedCall[];
  /**
   * `normal`: with the provider's word for it. `length`: at the token limit, each call left open. `broken`: the
   * connection ends behind the last piece. `wordless`: the wire's own end mark comes, but no word about why.
   */
  readonly end: 'normal' | 'length' | 'broken' | 'wordless';
}

/** The body of one streamed answer, event by event as the provider's documentation shows it and not by our encoders. */
export function streamOf(protocol: Protocol, answer: StreamedAnswer): string {
  return WRITERS[protocol](answer);
}

const WRITERS: Readonly<Record<Protocol, (answer: StreamedAnswer) => string>> = {
  'openai-chat': chat,
  'openai-responses': responses,
  anthropic,
  gemini,
};

function data(...values: readonly unknown[]): string {
  return values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('');
}

function chat({ text, calls = [], end }: StreamedAnswer): string {
  const chunk = (delta: object, reason: string | null = null): object => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  const deltas = [
    { role: 'assistant', content: text ?? null },
    ...calls.flatMap(({ id, name, pieces }, index) => [
      { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
      ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  ];
  const body = data(...deltas.map((delta) => chunk(delta)));
  if (end === 'broken') return body;
  const word = end === 'length' ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
  return `${body}${data(chunk({}, end === 'wordless' ? null : word))}data: [DONE]\n\n`;
}

function responses({ text, calls = [], end }: StreamedAnswer): string {
  const response = (status: string, output: readonly object[] = [], more: object = {}): object => ({
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'm',
    status,
    output,
    ...more,
  });
  const message = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: text ?? '', annotations: [] }],
  };
  const items = calls.map(({ id, name, pieces }, at) => ({
    type: 'function_call',
    id: `fc_${at}`,
    call_id: id,
    name,
    arguments: pieces.join(''),
    status: 'completed',
  }));
  const said =
    text === undefined ? [] : [{ type: 'response.output_item.done', output_index: 0, item: message }];
  const first = said.length;
  const streamed = items.flatMap((item, at) => {
    const place = { item_id: item.id, output_index: first + at };
    const added = { ...item, arguments: '', status: 'in_progress' };
    const closing = [
      { type: 'response.function_call_arguments.done', ...place, arguments: item.arguments },
      { type: 'response.output_item.done', output_index: first + at, item },
    ];
    return [
      { type: 'response.output_item.added', output_index: first + at, item: added },
      ...(calls[at]?.pieces ?? []).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        ...place,
        delta,
      })),
      ...(end === 'normal' ? closing : []),
    ];
  });
  const body = data({ type: 'response.created', response: response('in_progress') }, ...said, ...streamed);
  if (end === 'broken') return body;
  const output = text === undefined ? items : [message, ...items];
  if (end === 'length') {
    const details = { incomplete_details: { reason: 'max_output_tokens' } };
    return body + data({ type: 'response.incomplete', response: response('incomplete', [], details) });
  }
  if (end === 'wordless') return `${body}data: [DONE]\n\n`;
  return body + data({ type: 'response.completed', response: response('completed', output) });
}

function anthropic({ text, calls = [], end }: StreamedAnswer): string {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const start = { type: 'message', id: 'msg_1', role: 'assistant', model: 'm', content: [], usage };
  const blocks = [
    ...(text === undefined
      ? []
      : [{ block: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text }] }]),
    ...calls.map(({ id, name, pieces }) => ({
      block: { type: 'tool_use', id, name, input: {} },
      deltas: pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    })),
  ];
  const body = data(
    { type: 'message_start', message: start },
    ...blocks.flatMap(({ block, deltas }, index) => [
      { type: 'content_block_start', index, content_block: block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      // At the limit this wire closes a block that the model did not finish.
      ...(end === 'broken' ? [] : [{ type: 'content_block_stop', index }]),
    ]),
  );
  if (end === 'broken') return body;
  const word = end === 'length' ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn';
  const delta = { stop_reason: word, stop_sequence: null };
  const last = end === 'wordless' ? [] : [{ type: 'message_delta', delta, usage }];
  return body + data(...last, { type: 'message_stop' });
}

/** This wire has arguments as objects: pieces that join to no object cannot be said on it. */
function gemini({ text, calls = [], end }: StreamedAnswer): string {
  const parts = [
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ id, name, pieces }) => ({
      functionCall: { id, name, args: JSON.parse(pieces.join('')) as unknown },
    })),
  ];
  const chunk = (content: readonly object[], more: object = {}): object => ({
    candidates: [{ index: 0, content: { role: 'model', parts: content }, ...more }],
    responseId: 'r-1',
    modelVersion: 'm',
  });
  const body = data(...parts.map((part) => chunk([part])));
  if (end === 'broken' || end === 'wordless') return body;
  return body + data(chunk([], { finishReason: end === 'length' ? 'MAX_TOKENS' : 'STOP' }));
}
