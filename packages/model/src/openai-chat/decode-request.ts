import { freezeJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type {
  CallLimits,
  ModelCall,
  ModelTool,
  ResponseFormat,
  Sampling,
  ToolChoice,
} from '../call/model-call.ts';
import type { Coded, DecodedTools, RequestTarget } from '../codec/codec.ts';
import { compact } from '../codec/compact.ts';
import { decodeOnce } from '../codec/decode-once.ts';
import { keepUnread, toExtensions } from '../codec/extensions.ts';
import { createLossLog, type LossLog } from '../codec/loss-log.ts';
import { createCaseCheck } from '../codec/other-cases.ts';
import { createWireReader, memberOf, unreadMembers } from '../codec/wire-reader.ts';
import { CHAT } from './chat-protocol.ts';
import { decodeMessages } from './decode-messages.ts';
import { decodeFunction, decodeToolChoice, decodeTools } from './decode-tools.ts';

const SAMPLING = [
  'temperature',
  'top_p',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'stop',
  'n',
] as const;

const READ: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'tools',
  'tool_choice',
  'functions',
  'function_call',
  'parallel_tool_calls',
  'response_format',
  'max_tokens',
  'max_completion_tokens',
  ...SAMPLING,
  'reasoning_effort',
  'stream',
  'stream_options',
  'user',
]);

const reader = createWireReader('model/request-invalid');
const refuseOtherCases = createCaseCheck(new Set([...READ, 'n']));

/** @see Codec.decodeRequest. A model in the target stands in for one that the body does not name. */
export function decodeRequest(
  value: JsonValue,
  target?: RequestTarget,
  decoded?: DecodedTools,
): Coded<ModelCall> {
  const losses = createLossLog();
  const body = reader.object(value, '');
  refuseOtherCases(reader, body);
  const get = (name: string): JsonValue | undefined => memberOf(body, name);
  const effort = reader.optional('string', get('reasoning_effort'), '/reasoning_effort');
  const options = reader.optional('object', get('stream_options'), '/stream_options') ?? {};
  const model = reader.string(get('model') ?? target?.model, '/model');
  // A spread among members takes an engine longer than all of them.
  const { instructions, items } = decodeMessages(reader, get('messages'), losses);
  const call = compact<ModelCall>({
    model,
    instructions,
    items,
    tools: decodeAllTools(body, losses, decoded),
    toolChoice: decodeChoice(body),
    parallelToolCalls: reader.optional('boolean', get('parallel_tool_calls'), '/parallel_tool_calls'),
    responseFormat: decodeFormat(get('response_format'), losses),
    limits: decodeLimits(body, losses),
    sampling: decodeSampling(body),
    reasoning: effort === undefined ? undefined : Object.freeze({ effort }),
    stream: reader.optional(
      'boolean',
      get('stream') === undefined ? target?.stream : get('stream'),
      '/stream',
    ),
    streamUsage: reader.optional(
      'boolean',
      memberOf(options, 'include_usage'),
      '/stream_options/include_usage',
    ),
    endUser: reader.optional('string', get('user'), '/user'),
    extensions: decodeExtensions(body, options),
  });
  return Object.freeze({ value: call, losses: losses.losses });
}

const READ_STREAM_OPTIONS: ReadonlySet<string> = new Set(['include_usage']);

function decodeExtensions(body: JsonObject, options: JsonObject): ModelCall['extensions'] {
  const rest = unreadMembers(options, READ_STREAM_OPTIONS);
  if (rest === undefined) return keepUnread(CHAT, body, READ);
  return toExtensions(CHAT, { ...unreadMembers(body, READ), stream_options: rest });
}

/** `tools`, or the legacy `functions`. */
function decodeAllTools(
  body: JsonObject,
  losses: LossLog,
  decoded: DecodedTools | undefined,
): readonly ModelTool[] | null | undefined {
  const tools = memberOf(body, 'tools');
  const functions = reader.optional('array', memberOf(body, 'functions'), '/functions');
  if (functions === undefined || functions === null)
    return tools === undefined || tools === null
      ? tools
      : decodeOnce(decoded, tools, () => decodeTools(reader, tools, '/tools'));
  if (tools !== undefined && tools !== null) reader.fail('/functions', 'cannot stand beside tools');
  losses.add('approximated', '/functions', 'info', 'legacy functions became tools');
  return Object.freeze(
    functions.map((entry, index) => {
      const pointer = `/functions/${index}`;
      const declared = reader.object(entry, pointer);
      return decodeFunction(reader, declared, declared, pointer);
    }),
  );
}

/** `tool_choice`, or the legacy `function_call`. */
function decodeChoice(body: JsonObject): ToolChoice | null | undefined {
  const choice = memberOf(body, 'tool_choice');
  if (choice !== undefined && choice !== null) return decodeToolChoice(reader, choice, '/tool_choice');
  const legacy = memberOf(body, 'function_call');
  if (legacy === undefined || legacy === null) return choice;
  if (!isJsonObject(legacy)) return decodeToolChoice(reader, legacy, '/function_call');
  return Object.freeze({
    mode: 'named',
    name: reader.string(memberOf(legacy, 'name'), '/function_call/name'),
  });
}

function decodeLimits(body: JsonObject, losses: LossLog): CallLimits | undefined {
  const current = reader.optional(
    'number',
    memberOf(body, 'max_completion_tokens'),
    '/max_completion_tokens',
  );
  const old = reader.optional('number', memberOf(body, 'max_tokens'), '/max_tokens');
  if (current === undefined && old === undefined) return undefined;
  if (typeof current !== 'number' && old !== undefined) {
    return Object.freeze({ maxOutputTokens: old, spelling: 'max_tokens' });
  }
  if (old !== undefined && old !== current) {
    losses.add('dropped', '/max_tokens', 'warning', 'max_completion_tokens wins over the older member');
  }
  return compact<CallLimits>({ maxOutputTokens: current });
}

function decodeSampling(body: JsonObject): Sampling | undefined {
  // Most requests say nothing about it.
  if (!saysSampling(body)) return undefined;
  const number = (name: string): number | null | undefined => {
    return reader.optional('number', memberOf(body, name), `/${name}`);
  };
  return compact<Sampling>({
    temperature: number('temperature'),
    topP: number('top_p'),
    seed: number('seed'),
    frequencyPenalty: number('frequency_penalty'),
    presencePenalty: number('presence_penalty'),
    stop: decodeStop(memberOf(body, 'stop')),
    candidates: number('n'),
  });
}

function saysSampling(body: JsonObject): boolean {
  for (const name of SAMPLING) if (memberOf(body, name) !== undefined) return true;
  return false;
}

function decodeStop(value: JsonValue | undefined): readonly string[] | null | undefined {
  if (value === undefined || value === null) return value;
  if (typeof value === 'string') return Object.freeze([value]);
  return Object.freeze(
    reader.array(value, '/stop').map((entry, index) => reader.string(entry, `/stop/${index}`)),
  );
}

const READ_FORMAT = new Set(['type', 'json_schema']);
const READ_SCHEMA = new Set(['name', 'description', 'schema', 'strict']);

function decodeFormat(value: JsonValue | undefined, losses: LossLog): ResponseFormat | null | undefined {
  const format = reader.optional('object', value, '/response_format');
  if (format === undefined || format === null) return format;
  const type = memberOf(format, 'type');
  if (type === 'text') return Object.freeze({ kind: 'text' });
  if (type === 'json_object') return Object.freeze({ kind: 'json-object' });
  const inner = memberOf(format, 'json_schema');
  const schema = isJsonObject(inner) ? memberOf(inner, 'schema') : undefined;
  if (type !== 'json_schema' || !isJsonObject(inner) || !isJsonObject(schema)) {
    return Object.freeze({ kind: 'foreign', protocol: CHAT, value: freezeJson(format) });
  }
  const place = '/response_format/json_schema';
  if (unreadMembers(format, READ_FORMAT) !== undefined || unreadMembers(inner, READ_SCHEMA) !== undefined) {
    losses.add('dropped', place, 'info', 'unknown members of the response format');
  }
  return compact<ResponseFormat & { readonly kind: 'json-schema' }>({
    kind: 'json-schema',
    name: reader.optional('string', memberOf(inner, 'name'), `${place}/name`) ?? undefined,
    description:
      reader.optional('string', memberOf(inner, 'description'), `${place}/description`) ?? undefined,
    schema: freezeJson(schema),
    strict: reader.optional('boolean', memberOf(inner, 'strict'), `${place}/strict`),
  });
}
