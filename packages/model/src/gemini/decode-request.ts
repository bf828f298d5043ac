import { freezeJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type {
  CallLimits,
  ModelCall,
  ReasoningSettings,
  ResponseFormat,
  Sampling,
} from '../call/model-call.ts';
import type { Coded, DecodedTools, RequestTarget } from '../codec/codec.ts';
import { compact } from '../codec/compact.ts';
import { decodeOnce } from '../codec/decode-once.ts';
import { toExtensions } from '../codec/extensions.ts';
import { createLossLog } from '../codec/loss-log.ts';
import { createCaseCheck } from '../codec/other-cases.ts';
import { createWireReader, memberOf, setMember, textOf, unreadMembers } from '../codec/wire-reader.ts';
import { createCallIds } from './call-ids.ts';
import { toCamelCase } from './camel-case.ts';
import { fromClassicSchema } from './classic-schema.ts';
import { decodeContents, decodeSystem } from './decode-contents.ts';
import { decodeToolConfig, decodeTools } from './decode-tools.ts';
import { GEMINI } from './gemini-protocol.ts';

const READ: ReadonlySet<string> = new Set([
  'model',
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
]);

const reader = createWireReader('model/request-invalid');
const refuseOtherCases = createCaseCheck(READ);

/** @see Codec.decodeRequest. Model and streaming come with the target, which `readGeminiPath` gives. */
export function decodeRequest(
  value: JsonValue,
  target?: RequestTarget,
  decoded?: DecodedTools,
): Coded<ModelCall> {
  const losses = createLossLog();
  const given = reader.object(value, '');
  const body = toCamelCase(given, reader);
  refuseOtherCases(reader, body);
  const get = (name: string): JsonValue | undefined => memberOf(body, name);
  const context = { reader, ids: createCallIds(), losses };
  const tools = get('tools');
  const toolConfig = reader.optional('object', get('toolConfig'), '/toolConfig');
  const choice = toolConfig ? decodeToolConfig(reader, toolConfig) : {};
  const config = reader.optional('object', get('generationConfig'), '/generationConfig') ?? {};
  const settings = decodeConfig(config);
  const extensions: Record<string, JsonValue> = { ...unreadMembers(body, READ) };
  keepRest(extensions, 'toolConfig', choice.rest);
  keepRest(extensions, 'generationConfig', settings.rest);
  const call = compact<ModelCall>({
    model: reader.string(target?.model ?? withoutPrefix(get('model')), '/model'),
    instructions: decodeSystem(context, get('systemInstruction')),
    items: decodeContents(context, get('contents')),
    tools:
      tools === undefined || tools === null
        ? tools
        : decodeOnce(decoded, memberOf(given, 'tools'), () => decodeTools(reader, tools)),
    toolChoice: choice.toolChoice,
    responseFormat: settings.responseFormat,
    limits: settings.limits,
    sampling: settings.sampling,
    reasoning: settings.reasoning,
    stream: target?.stream,
    extensions: Object.keys(extensions).length === 0 ? undefined : toExtensions(GEMINI, extensions),
  });
  return Object.freeze({ value: call, losses: losses.losses });
}

function withoutPrefix(model: JsonValue | undefined): JsonValue | undefined {
  return typeof model === 'string' ? model.replace(/^models\//, '') : model;
}

function keepRest(extensions: Record<string, JsonValue>, name: string, rest: JsonObject | undefined): void {
  if (rest !== undefined) setMember(extensions, name, rest);
}

interface DecodedConfig {
  readonly limits?: CallLimits | undefined;
  readonly sampling?: Sampling | undefined;
  readonly reasoning?: ReasoningSettings | undefined;
  readonly responseFormat?: ResponseFormat | undefined;
  readonly rest?: JsonObject | undefined;
}

const READ_CONFIG = new Set([
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'seed',
  'frequencyPenalty',
  'presencePenalty',
  'stopSequences',
  'candidateCount',
]);

function decodeConfig(config: JsonObject): DecodedConfig {
  const number = (name: string): number | null | undefined => {
    return reader.optional('number', memberOf(config, name), `/generationConfig/${name}`);
  };
  const stop = reader.optional('array', memberOf(config, 'stopSequences'), '/generationConfig/stopSequences');
  const sampling = compact<Sampling>({
    temperature: number('temperature'),
    topP: number('topP'),
    topK: number('topK'),
    seed: number('seed'),
    frequencyPenalty: number('frequencyPenalty'),
    presencePenalty: number('presencePenalty'),
    stop:
      stop &&
      Object.freeze(stop.map((text, at) => reader.string(text, `/generationConfig/stopSequences/${at}`))),
    candidates: number('candidateCount'),
  });
  const limit = number('maxOutputTokens');
  const format = decodeFormat(config);
  const thinking = decodeThinking(config);
  return {
    limits: limit === undefined ? undefined : Object.freeze({ maxOutputTokens: limit }),
    sampling: Object.keys(sampling).length === 0 ? undefined : sampling,
    reasoning: thinking.reasoning,
    responseFormat: format.responseFormat,
    rest: unreadMembers(config, new Set([...READ_CONFIG, ...format.read, ...thinking.read])),
  };
}

interface DecodedFormat {
  readonly responseFormat?: ResponseFormat;
  readonly read: readonly string[];
}

/** The form of the answer. A classic schema is also kept as it is, for this protocol. */
function decodeFormat(config: JsonObject): DecodedFormat {
  const type = textOf(config, 'responseMimeType');
  const schema = memberOf(config, 'responseJsonSchema');
  const classic = memberOf(config, 'responseSchema');
  if (type === 'text/plain' && schema === undefined && classic === undefined) {
    return { responseFormat: Object.freeze({ kind: 'text' }), read: ['responseMimeType'] };
  }
  if (type !== 'application/json') return { read: [] };
  if (isJsonObject(schema)) {
    const responseFormat = Object.freeze({ kind: 'json-schema' as const, schema: freezeJson(schema) });
    return { responseFormat, read: ['responseMimeType', 'responseJsonSchema'] };
  }
  if (isJsonObject(classic)) {
    const converted = freezeJson(fromClassicSchema(classic));
    return {
      responseFormat: Object.freeze({ kind: 'json-schema', schema: converted }),
      read: ['responseMimeType'],
    };
  }
  return { responseFormat: Object.freeze({ kind: 'json-object' }), read: ['responseMimeType'] };
}

interface DecodedThinking {
  readonly reasoning?: ReasoningSettings;
  readonly read: readonly string[];
}

const READ_THINKING = new Set(['thinkingBudget', 'thinkingLevel', 'includeThoughts']);

/**
 * A budget, a level and whether thoughts are shown; with anything else beside them the member is kept as it is. A budget
 * of nothing asks for no thinking.
 */
function decodeThinking(config: JsonObject): DecodedThinking {
  const thinking = memberOf(config, 'thinkingConfig');
  if (!isJsonObject(thinking) || unreadMembers(thinking, READ_THINKING) !== undefined) return { read: [] };
  const budgetTokens = reader.optional(
    'number',
    memberOf(thinking, 'thinkingBudget'),
    '/generationConfig/thinkingConfig/thinkingBudget',
  );
  const level = textOf(thinking, 'thinkingLevel');
  const shown = memberOf(thinking, 'includeThoughts');
  if (shown !== undefined && typeof shown !== 'boolean') return { read: [] };
  const isOff = budgetTokens === 0 && level === undefined;
  const reasoning = compact<ReasoningSettings>({
    budgetTokens: isOff ? undefined : budgetTokens,
    effort: isOff ? 'none' : level?.toLowerCase(),
    summary: shown === undefined ? undefined : shown ? 'auto' : 'omitted',
  });
  return Object.keys(reasoning).length === 0 ? { read: [] } : { reasoning, read: ['thinkingConfig'] };
}
