import { freezeJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Item } from '../call/item.ts';
import type {
  CallLimits,
  Instruction,
  ModelCall,
  ReasoningSettings,
  ResponseFormat,
  Sampling,
} from '../call/model-call.ts';
import type { Coded, DecodedTools, RequestTarget } from '../codec/codec.ts';
import { compact } from '../codec/compact.ts';
import { decodeOnce } from '../codec/decode-once.ts';
import { toExtensions } from '../codec/extensions.ts';
import { createLossLog, type LossLog } from '../codec/loss-log.ts';
import { createCaseCheck } from '../codec/other-cases.ts';
import { createWireReader, memberOf, unreadMembers } from '../codec/wire-reader.ts';
import { decodeItem } from './decode-item.ts';
import { decodeToolChoice, decodeTools } from './decode-tools.ts';
import { splitInstructions } from './leading-instructions.ts';
import { RESPONSES } from './responses-protocol.ts';

const READ: ReadonlySet<string> = new Set([
  'model',
  'input',
  'instructions',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'text',
  'max_output_tokens',
  'temperature',
  'top_p',
  'reasoning',
  'previous_response_id',
  'stream',
  'user',
]);
const READ_TEXT = new Set(['format']);
const READ_REASONING = new Set(['effort', 'summary']);

const reader = createWireReader('model/request-invalid');
const refuseOtherCases = createCaseCheck(READ);

/** @see Codec.decodeRequest. */
export function decodeRequest(
  value: JsonValue,
  target?: RequestTarget,
  decoded?: DecodedTools,
): Coded<ModelCall> {
  const losses = createLossLog();
  const body = reader.object(value, '');
  refuseOtherCases(reader, body);
  const get = (name: string): JsonValue | undefined => memberOf(body, name);
  const text = reader.optional('object', get('text'), '/text');
  const reasoning = reader.optional('object', get('reasoning'), '/reasoning');
  const choice = get('tool_choice');
  const tools = get('tools');
  const model = reader.string(get('model') ?? target?.model, '/model');
  // A spread among members takes an engine longer than all of them.
  const { instructions, items } = decodeConversation(body, losses);
  const call = compact<ModelCall>({
    model,
    instructions,
    items,
    tools:
      tools === undefined || tools === null
        ? tools
        : decodeOnce(decoded, tools, () => decodeTools(reader, tools, '/tools')),
    toolChoice:
      choice === undefined || choice === null ? choice : decodeToolChoice(reader, choice, '/tool_choice'),
    parallelToolCalls: reader.optional('boolean', get('parallel_tool_calls'), '/parallel_tool_calls'),
    responseFormat:
      text === undefined || text === null ? undefined : decodeFormat(memberOf(text, 'format'), losses),
    limits: decodeLimits(get('max_output_tokens')),
    sampling: decodeSampling(body),
    reasoning: reasoning === undefined || reasoning === null ? reasoning : decodeReasoning(reasoning),
    stream: reader.optional(
      'boolean',
      get('stream') === undefined ? target?.stream : get('stream'),
      '/stream',
    ),
    endUser: reader.optional('string', get('user'), '/user'),
    previousResponseId: reader.optional('string', get('previous_response_id'), '/previous_response_id'),
    extensions: decodeExtensions(body, text ?? {}, reasoning ?? {}),
  });
  return Object.freeze({ value: call, losses: losses.losses });
}

function decodeExtensions(
  body: JsonObject,
  text: JsonObject,
  reasoning: JsonObject,
): ModelCall['extensions'] {
  const unread = unreadMembers(body, READ);
  const moreText = unreadMembers(text, READ_TEXT);
  const moreReasoning = unreadMembers(reasoning, READ_REASONING);
  if (unread === undefined && moreText === undefined && moreReasoning === undefined) return undefined;
  return toExtensions(RESPONSES, {
    ...unread,
    ...(moreText === undefined ? {} : { text: moreText }),
    ...(moreReasoning === undefined ? {} : { reasoning: moreReasoning }),
  });
}

function decodeConversation(body: JsonObject, losses: LossLog): Pick<ModelCall, 'instructions' | 'items'> {
  const field = reader.optional('string', memberOf(body, 'instructions'), '/instructions');
  const { leading, rest: items } = splitInstructions(decodeInput(memberOf(body, 'input'), losses));
  if (typeof field !== 'string' && leading.length === 0)
    return field === undefined ? { items } : { instructions: null, items };
  const first: Instruction[] =
    typeof field === 'string' ? [Object.freeze({ role: 'system', text: field })] : [];
  return { instructions: Object.freeze([...first, ...leading]), items };
}

function decodeInput(input: JsonValue | undefined, losses: LossLog): readonly Item[] {
  if (input === undefined || input === null) return [];
  if (typeof input === 'string') {
    const parts = Object.freeze([Object.freeze({ kind: 'text' as const, text: input })]);
    return [Object.freeze({ kind: 'message', role: 'user', parts })];
  }
  const context = { reader, losses, seed: [], answer: false };
  return reader.parts(input, '/input').map((entry, index) => {
    const pointer = `/input/${index}`;
    return decodeItem(context, reader.object(entry, pointer), pointer);
  });
}

function decodeLimits(value: JsonValue | undefined): CallLimits | undefined {
  const maxOutputTokens = reader.optional('number', value, '/max_output_tokens');
  return maxOutputTokens === undefined ? undefined : Object.freeze({ maxOutputTokens });
}

function decodeSampling(body: JsonObject): Sampling | undefined {
  const sampling = compact<Sampling>({
    temperature: reader.optional('number', memberOf(body, 'temperature'), '/temperature'),
    topP: reader.optional('number', memberOf(body, 'top_p'), '/top_p'),
  });
  return Object.keys(sampling).length === 0 ? undefined : sampling;
}

function decodeReasoning(reasoning: JsonObject): ReasoningSettings {
  return compact<ReasoningSettings>({
    effort: reader.optional('string', memberOf(reasoning, 'effort'), '/reasoning/effort'),
    summary: reader.optional('string', memberOf(reasoning, 'summary'), '/reasoning/summary'),
  });
}

const READ_FORMAT = new Set(['type', 'name', 'description', 'schema', 'strict']);

function decodeFormat(value: JsonValue | undefined, losses: LossLog): ResponseFormat | undefined {
  const format = reader.optional('object', value, '/text/format');
  if (format === undefined || format === null) return undefined;
  const type = memberOf(format, 'type');
  if (type === 'text') return Object.freeze({ kind: 'text' });
  if (type === 'json_object') return Object.freeze({ kind: 'json-object' });
  const schema = memberOf(format, 'schema');
  if (type !== 'json_schema' || !isJsonObject(schema)) {
    return Object.freeze({ kind: 'foreign', protocol: RESPONSES, value: freezeJson(format) });
  }
  if (unreadMembers(format, READ_FORMAT) !== undefined) {
    losses.add('dropped', '/text/format', 'info', 'unknown members of the response format');
  }
  return compact<ResponseFormat & { readonly kind: 'json-schema' }>({
    kind: 'json-schema',
    name: reader.optional('string', memberOf(format, 'name'), '/text/format/name') ?? undefined,
    description:
      reader.optional('string', memberOf(format, 'description'), '/text/format/description') ?? undefined,
    schema: freezeJson(schema),
    strict: reader.optional('boolean', memberOf(format, 'strict'), '/text/format/strict'),
  });
}
