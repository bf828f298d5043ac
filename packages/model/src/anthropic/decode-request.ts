import { freezeJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { ModelCall, ReasoningSettings, ResponseFormat, Sampling } from '../call/model-call.ts';
import type { Coded, DecodedTools, RequestTarget } from '../codec/codec.ts';
import { compact } from '../codec/compact.ts';
import { decodeOnce } from '../codec/decode-once.ts';
import { toExtensions } from '../codec/extensions.ts';
import { createLossLog } from '../codec/loss-log.ts';
import { createCaseCheck } from '../codec/other-cases.ts';
import { createWireReader, memberOf, setMember, textOf, unreadMembers } from '../codec/wire-reader.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';
import { decodeMessages, decodeSystem } from './decode-messages.ts';
import { decodeToolChoice, decodeTools } from './decode-tools.ts';

const READ: ReadonlySet<string> = new Set([
  'model',
  'max_tokens',
  'system',
  'messages',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'metadata',
  'stream',
]);

const reader = createWireReader('model/request-invalid');
const refuseOtherCases = createCaseCheck(new Set([...READ, 'mcp_servers']));

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
  const limit = reader.optional('number', get('max_tokens'), '/max_tokens');
  const tools = get('tools');
  const choice = get('tool_choice');
  const config = reader.optional('object', get('output_config'), '/output_config') ?? undefined;
  const metadata = reader.optional('object', get('metadata'), '/metadata') ?? undefined;
  const format = config === undefined ? undefined : decodeFormat(config);
  const effort = config === undefined ? undefined : textOf(config, 'effort');
  const thinking = decodeThinking(get('thinking'), effort);
  const { settings: reasoning } = thinking;
  const extensions: Record<string, JsonValue> = { ...unreadMembers(body, READ) };
  keepRest(extensions, 'thinking', thinking.rest);
  keepRest(
    extensions,
    'output_config',
    restOf(config, effort !== undefined && !thinking.isOff ? ['effort'] : [], format ? ['format'] : []),
  );
  keepRest(extensions, 'metadata', restOf(metadata, ['user_id']));
  const call = compact<ModelCall>({
    model: reader.string(get('model') ?? target?.model, '/model'),
    instructions: decodeSystem(reader, get('system')),
    items: decodeMessages(reader, get('messages'), losses),
    tools:
      tools === undefined || tools === null
        ? tools
        : decodeOnce(decoded, tools, () => decodeTools(reader, tools)),
    ...(choice === undefined || choice === null ? { toolChoice: choice } : decodeToolChoice(reader, choice)),
    responseFormat: format,
    limits: limit === undefined ? undefined : Object.freeze({ maxOutputTokens: limit }),
    sampling: decodeSampling(body),
    reasoning: Object.keys(reasoning).length === 0 ? undefined : reasoning,
    stream: reader.optional('boolean', get('stream'), '/stream') ?? target?.stream,
    endUser:
      metadata === undefined
        ? undefined
        : reader.optional('string', memberOf(metadata, 'user_id'), '/metadata/user_id'),
    extensions: Object.keys(extensions).length === 0 ? undefined : toExtensions(ANTHROPIC, extensions),
  });
  return Object.freeze({ value: call, losses: losses.losses });
}

function decodeSampling(body: JsonObject): Sampling | undefined {
  const number = (name: string): number | null | undefined => {
    return reader.optional('number', memberOf(body, name), `/${name}`);
  };
  const stop = reader.optional('array', memberOf(body, 'stop_sequences'), '/stop_sequences');
  const sampling = compact<Sampling>({
    temperature: number('temperature'),
    topP: number('top_p'),
    topK: number('top_k'),
    stop: stop && Object.freeze(stop.map((each, index) => reader.string(each, `/stop_sequences/${index}`))),
  });
  return Object.keys(sampling).length === 0 ? undefined : sampling;
}

interface DecodedThinking {
  readonly settings: ReasoningSettings;
  /** The member as it is, where it says something that has no neutral form. */
  readonly rest?: JsonValue;
  /** Whether there is to be no thinking whatever the effort, which is kept as it is then. */
  readonly isOff?: boolean;
}

/** A budget is neutral, and so is no thinking at all; other modes are kept as they are. */
function decodeThinking(value: JsonValue | undefined, effort: string | undefined): DecodedThinking {
  const settings = compact<ReasoningSettings>({ effort });
  if (value === undefined) return { settings };
  if (!isJsonObject(value)) return { settings, rest: value };
  const keys = Object.keys(value);
  const type = memberOf(value, 'type');
  if (type === 'disabled' && keys.length === 1) {
    const settings = Object.freeze({ effort: 'none' });
    return effort === undefined ? { settings } : { settings, rest: value, isOff: true };
  }
  const budgetTokens = memberOf(value, 'budget_tokens');
  const display = memberOf(value, 'display');
  const known = keys.every((key) => key === 'type' || key === 'budget_tokens' || key === 'display');
  if (type !== 'enabled' || typeof budgetTokens !== 'number' || !known) return { settings, rest: value };
  if (display !== undefined && display !== null && typeof display !== 'string')
    return { settings, rest: value };
  return { settings: compact<ReasoningSettings>({ effort, budgetTokens, summary: display }) };
}

const READ_FORMAT = new Set(['type', 'schema']);

function decodeFormat(config: JsonObject): ResponseFormat | undefined {
  const format = memberOf(config, 'format');
  if (format === undefined || format === null) return undefined;
  const schema = isJsonObject(format) ? memberOf(format, 'schema') : undefined;
  const known = isJsonObject(format) && unreadMembers(format, READ_FORMAT) === undefined;
  if (known && memberOf(format, 'type') === 'json_schema' && isJsonObject(schema)) {
    return Object.freeze({ kind: 'json-schema', schema: freezeJson(schema) });
  }
  return Object.freeze({ kind: 'foreign', protocol: ANTHROPIC, value: freezeJson(format) });
}

function restOf(
  object: JsonObject | undefined,
  ...read: readonly (readonly string[])[]
): JsonObject | undefined {
  return object && unreadMembers(object, new Set(read.flat()));
}

function keepRest(extensions: Record<string, JsonValue>, name: string, rest: JsonValue | undefined): void {
  if (rest !== undefined) setMember(extensions, name, rest);
}
