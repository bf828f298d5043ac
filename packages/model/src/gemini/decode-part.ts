import { freezeJson, isJsonObject, type JsonObject } from '@toolgate/core';
import type {
  ContentPart,
  Item,
  MediaContent,
  ReasoningItem,
  ToolCallItem,
  ToolResultItem,
} from '../call/item.ts';
import { fromArgumentObject, fromArgumentValue } from '../codec/argument-object.ts';
import { compact } from '../codec/compact.ts';
import { keepUnread, toExtensions } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { memberOf, textOf, unreadMembers, type WireReader } from '../codec/wire-reader.ts';
import type { CallIds } from './call-ids.ts';
import { GEMINI } from './gemini-protocol.ts';
import { fromResponse } from './tool-response.ts';

/** What reading the parts of one body needs besides the parts. */
export interface PartContext {
  readonly reader: WireReader;
  readonly ids: CallIds;
  readonly losses: LossLog;
  /** Whether the parts are an answer: a call with odd arguments is refused by itself then, and not the whole answer. */
  readonly answer?: boolean;
}

const READ_TEXT = new Set(['text', 'thought']);
const READ_THOUGHT = new Set(['text', 'thought', 'thoughtSignature']);
const READ_CALL = new Set(['functionCall', 'thoughtSignature']);
const READ_CALL_MEMBERS = new Set(['id', 'name', 'args']);
const READ_RESULT = new Set(['functionResponse']);
const READ_RESULT_MEMBERS = new Set(['id', 'name', 'response', 'parts']);

/** What a part is: a piece of a message, or an item of its own. */
export type DecodedPart = { readonly part: ContentPart } | { readonly item: Item };

/** Reads one part. A part without a neutral form stays foreign. */
export function decodePart(
  context: PartContext,
  part: JsonObject,
  role: 'user' | 'assistant',
  pointer: string,
): DecodedPart {
  const call = memberOf(part, 'functionCall');
  if (isJsonObject(call) && role === 'assistant') return { item: decodeCall(context, part, call, pointer) };
  const result = memberOf(part, 'functionResponse');
  if (isJsonObject(result) && role === 'user') return { item: decodeResult(context, part, result, pointer) };
  const text = textOf(part, 'text');
  if (text !== undefined && memberOf(part, 'thought') === true) return { item: decodeThought(part, text) };
  if (text !== undefined) {
    const extensions = keepUnread(GEMINI, part, READ_TEXT);
    return { part: compact<ContentPart & { readonly kind: 'text' }>({ kind: 'text', text, extensions }) };
  }
  const media = decodeMedia(part);
  if (media !== undefined) return { part: media };
  const value = freezeJson(part);
  return role === 'user'
    ? { part: Object.freeze({ kind: 'foreign', protocol: GEMINI, value }) }
    : { item: Object.freeze({ kind: 'foreign', protocol: GEMINI, role, value }) };
}

/** A signature of this protocol, where there is one. */
export function toSignature(value: string | undefined): ReasoningItem['opaque'] {
  return value === undefined || value === ''
    ? undefined
    : Object.freeze({ protocol: GEMINI, form: 'signature', value });
}

/** A thought; one without a signature is marked, so that it is known for a thought of this protocol. */
function decodeThought(part: JsonObject, text: string): ReasoningItem {
  const opaque = toSignature(textOf(part, 'thoughtSignature'));
  const rest = unreadMembers(part, READ_THOUGHT);
  return compact<ReasoningItem>({
    kind: 'reasoning',
    text: text === '' ? undefined : text,
    opaque,
    extensions:
      opaque !== undefined && rest === undefined
        ? undefined
        : toExtensions(GEMINI, { ...rest, thought: true }),
  });
}

function decodeCall(
  { reader, ids, answer = false }: PartContext,
  part: JsonObject,
  call: JsonObject,
  pointer: string,
): ToolCallItem {
  const place = `${pointer}/functionCall`;
  const name = readName(reader, call, place);
  if (memberOf(call, 'partialArgs') !== undefined || memberOf(call, 'willContinue') === true) {
    reader.fail(place, 'comes in pieces, which only a stream can');
  }
  const args = memberOf(call, 'args');
  const text = answer
    ? fromArgumentValue(args)
    : fromArgumentObject(reader.optional('object', args, `${place}/args`) ?? {});
  return compact<ToolCallItem>({
    kind: 'tool-call',
    callId: ids.ofCall(memberOf(call, 'id'), name, text),
    name,
    arguments: text,
    signature: toSignature(textOf(part, 'thoughtSignature')),
    extensions: nested(part, READ_CALL, 'functionCall', unreadMembers(call, READ_CALL_MEMBERS)),
  });
}

function decodeResult(
  context: PartContext,
  part: JsonObject,
  result: JsonObject,
  pointer: string,
): ToolResultItem {
  const { reader, ids } = context;
  const place = `${pointer}/functionResponse`;
  const name = reader.optional('string', memberOf(result, 'name'), `${place}/name`) ?? '';
  const callId =
    ids.ofResult(memberOf(result, 'id'), name) ?? reader.fail(place, 'answers no call before it');
  const response = reader.optional('object', memberOf(result, 'response'), `${place}/response`) ?? {};
  const { parts, structured, isError } = fromResponse(response);
  const media = reader.optional('array', memberOf(result, 'parts'), `${place}/parts`) ?? [];
  const added = media.map((each, index): ContentPart => {
    const inner = reader.object(each, `${place}/parts/${index}`);
    return (
      decodeMedia(inner) ?? Object.freeze({ kind: 'foreign', protocol: GEMINI, value: freezeJson(inner) })
    );
  });
  return compact<ToolResultItem>({
    kind: 'tool-result',
    callId,
    name: name === '' || name === callId ? undefined : name,
    parts: Object.freeze([...parts, ...added]),
    structured: structured === undefined ? undefined : freezeJson(structured),
    isError: isError === true ? true : undefined,
    extensions: nested(part, READ_RESULT, 'functionResponse', unreadMembers(result, READ_RESULT_MEMBERS)),
  });
}

function nested(part: JsonObject, read: ReadonlySet<string>, name: string, inner: JsonObject | undefined) {
  const outer = unreadMembers(part, read);
  if (inner === undefined) return outer && toExtensions(GEMINI, outer);
  return toExtensions(GEMINI, { ...outer, [name]: inner });
}

function readName(reader: WireReader, holder: JsonObject, pointer: string): string {
  const name = reader.string(memberOf(holder, 'name'), `${pointer}/name`);
  return name === '' ? reader.fail(`${pointer}/name`, 'must not be empty') : name;
}

const READ_INLINE = new Set(['inlineData']);
const READ_FILE = new Set(['fileData']);
const READ_BLOB = new Set(['mimeType', 'data']);
const READ_URI = new Set(['fileUri', 'mimeType']);

/** Media, or `undefined` for a part that is none, or says more about it than a neutral part can hold. */
function decodeMedia(part: JsonObject): MediaContent | undefined {
  const inline = memberOf(part, 'inlineData');
  if (isJsonObject(inline)) {
    const mediaType = textOf(inline, 'mimeType');
    const data = textOf(inline, 'data');
    if (mediaType === undefined || data === undefined) return undefined;
    return compact<MediaContent>({
      kind: kindOf(mediaType),
      source: Object.freeze({ kind: 'base64', mediaType, data }),
      extensions: nested(part, READ_INLINE, 'inlineData', unreadMembers(inline, READ_BLOB)),
    });
  }
  const file = memberOf(part, 'fileData');
  const uri = isJsonObject(file) ? textOf(file, 'fileUri') : undefined;
  if (!isJsonObject(file) || uri === undefined) return undefined;
  const mediaType = textOf(file, 'mimeType');
  const isPublic = /^https?:/.test(uri) && !/^https?:\/\/[^/]*\bgoogleapis\.com\//.test(uri);
  const rest = unreadMembers(file, isPublic ? READ_URI : new Set(['fileUri']));
  return compact<MediaContent>({
    kind: kindOf(mediaType ?? ''),
    source: Object.freeze(
      isPublic
        ? { kind: 'url', url: uri, ...(mediaType === undefined ? {} : { mediaType }) }
        : { kind: 'file-id', protocol: GEMINI, id: uri },
    ),
    extensions: nested(part, READ_FILE, 'fileData', rest),
  });
}

function kindOf(mediaType: string): MediaContent['kind'] {
  if (mediaType.startsWith('image/')) return 'image';
  return mediaType.startsWith('audio/') ? 'audio' : 'file';
}
