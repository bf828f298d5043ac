import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { ContentPart, Item, ReasoningItem, ToolCallItem } from '../call/item.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { shapeOf } from '../codec/answer-shape.ts';
import { toAnswerArguments } from '../codec/argument-object.ts';
import type { Coded } from '../codec/codec.ts';
import { takeExtensions } from '../codec/extensions.ts';
import { failureClass, failureText } from '../codec/failure-class.ts';
import { createLossLog, type LossLog } from '../codec/loss-log.ts';
import { OPENAI_FAILURES } from '../codec/openai-failure.ts';
import { syntheticId } from '../codec/synthetic-id.ts';
import { toImage } from './answer-images.ts';
import { CHAT } from './chat-protocol.ts';
import type { ChatError, ChatResponseBody, ChatResponseMessage } from './chat-wire.ts';
import { isCustomCall } from './custom-call.ts';
import { encodeCall, thoughtField } from './encode-assistant.ts';
import { writeFinish } from './finish-reason.ts';
import { noteFinish } from './note-finish.ts';
import { type ThoughtField, toThinkingPart } from './thinking-part.ts';
import { encodeUsage } from './usage.ts';

/** @see Codec.encodeResponse. */
export function encodeResponse(response: ModelResponse): Coded<JsonObject> {
  const losses = createLossLog();
  if (response.finish === 'error') {
    losses.add('approximated', '', 'warning', 'a failed answer is an error body here');
    return Object.freeze({ value: errorBody(response.finishDetail), losses: losses.losses });
  }
  const shape = shapeOf(response.items, response.incomplete, isCustomCall);
  const word = writeFinish(response.finish, shape);
  noteFinish(response, word, shape, losses);
  const usage = encodeUsage(response.usage, losses);
  const body: ChatResponseBody<JsonObject> = {
    id: response.id ?? syntheticId('chatcmpl', response.model ?? ''),
    object: 'chat.completion',
    created: response.createdAt ?? 0,
    model: response.model ?? '',
    choices: [{ index: 0, message: encodeMessage(response, losses), finish_reason: word, logprobs: null }],
    ...(usage === undefined ? {} : { usage }),
  };
  noteSynthesised(response, losses);
  const members = takeExtensions(CHAT, response.extensions, '', losses, { severity: 'info', grouped: true });
  return Object.freeze({ value: Object.freeze({ ...members, ...body }), losses: losses.losses });
}

/**
 * The error body of this wire, with a sentence of ours.
 *
 * @param word - The provider's word for the failure, or our code.
 */
export function errorBody(word: string | undefined): ChatError {
  const failure = failureClass(word);
  const code = failure === undefined ? null : OPENAI_FAILURES[failure];
  return { error: { message: failureText(failure), type: 'upstream_error', param: null, code } };
}

function noteSynthesised({ id, model, createdAt }: ModelResponse, losses: LossLog): void {
  if (id === null) losses.add('synthesised', '/id', 'info', 'this wire wants an id');
  if (model === null) losses.add('synthesised', '/model', 'info', 'this wire wants a model');
  if (createdAt === undefined) losses.add('synthesised', '/createdAt', 'info', 'this wire wants a time');
}

function encodeMessage(response: ModelResponse, losses: LossLog): JsonObject {
  const texts: string[] = [];
  const refusals: string[] = [];
  const images: JsonObject[] = [];
  const thoughts: string[] = [];
  const calls: JsonObject[] = [];
  let members: JsonObject = {};
  response.items.forEach((item, index) => {
    const path = `/items/${index}`;
    switch (item.kind) {
      case 'message':
        noteOrder(texts.length + refusals.length > 0 || calls.length > 0, path, losses);
        members = {
          ...members,
          ...takeExtensions(CHAT, item.extensions, path, losses, { severity: 'info' }),
        };
        if (item.id !== undefined) losses.add('dropped', `${path}/id`, 'info', 'messages have no ids here');
        if (item.parts.length === 0)
          losses.add('approximated', path, 'info', 'a message without parts says nothing');
        item.parts.forEach((part, position) => {
          addPart(part, `${path}/parts/${position}`, { texts, refusals, images }, losses);
        });
        break;
      case 'reasoning':
        noteOrder(thoughts.length + texts.length + refusals.length + calls.length > 0, path, losses);
        thoughts.push(encodeThought(item, path, losses));
        break;
      case 'tool-call':
        calls.push(encodeCall(wholeCall(item, response, path, losses), path, losses));
        break;
      case 'foreign':
        if (item.protocol === CHAT && isJsonObject(item.value)) calls.push(item.value);
        else losses.add('refused', path, 'error', 'an item that only its own protocol understands');
        break;
      case 'tool-result':
        losses.add('refused', path, 'error', 'an answer holds no tool results');
    }
  });
  const thought = thoughts.join('');
  const field = placeOfThoughts(response.items);
  const inParts = thought !== '' && field === 'thinking';
  const text = texts.length === 0 ? null : texts.join('');
  const content = inParts
    ? [toThinkingPart(thought), ...(text === null ? [] : [{ type: 'text', text }])]
    : text;
  const message: Omit<ChatResponseMessage, 'content' | 'tool_calls'> & JsonObject = {
    role: 'assistant',
    content,
    refusal: refusals.length === 0 ? null : refusals.join(''),
  };
  return {
    ...members,
    ...message,
    ...(thought === '' || inParts ? {} : { [field]: thought }),
    ...(images.length === 0 ? {} : { images }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function wholeCall(
  item: ToolCallItem,
  { incomplete }: ModelResponse,
  path: string,
  losses: LossLog,
): ToolCallItem {
  if (incomplete?.includes(item.callId) === true) return item;
  const said = toAnswerArguments(item.arguments, `${path}/arguments`, losses);
  return said === item.arguments ? item : { ...item, arguments: said };
}

/** Where the provider of this protocol gave the first thought, else the member that most clients know. */
function placeOfThoughts(items: readonly Item[]): ThoughtField {
  const first = items.find((item) => item.kind === 'reasoning');
  return (first && thoughtField(first)) ?? 'reasoning_content';
}

function noteOrder(moved: boolean, path: string, losses: LossLog): void {
  if (moved)
    losses.add('relocated', path, 'info', 'one message holds the thoughts, then the text, then the calls');
}

interface Said {
  readonly texts: string[];
  readonly refusals: string[];
  readonly images: JsonObject[];
}

function addPart(part: ContentPart, path: string, { texts, refusals, images }: Said, losses: LossLog): void {
  if (images.length > 0) losses.add('relocated', path, 'info', 'pictures stand behind the text here');
  if (part.kind === 'text') {
    if (texts.length > 0) losses.add('approximated', path, 'info', 'text parts are joined here');
    if (part.text === '') losses.add('approximated', path, 'info', 'empty text says nothing here');
    if (part.extensions !== undefined)
      losses.add('dropped', `${path}/extensions`, 'info', 'text is a string here');
    texts.push(part.text);
  } else if (part.kind === 'refusal') {
    if (refusals.length > 0) losses.add('approximated', path, 'info', 'refusals are joined here');
    refusals.push(part.text);
  } else {
    const image = toImage(part, path, losses);
    if (image !== undefined) images.push(image);
    else losses.add('dropped', path, 'error', 'an answer of this protocol holds text and pictures only');
  }
}

/** Thoughts travel in a member that many servers and clients know and the standard does not. */
function encodeThought(item: ReasoningItem, path: string, losses: LossLog): string {
  if (item.opaque !== undefined)
    losses.add('dropped', `${path}/opaque`, 'warning', 'signatures have no form here');
  if (item.id !== undefined) losses.add('dropped', `${path}/id`, 'info', 'thoughts have no ids here');
  if (item.extensions?.protocol !== CHAT) {
    losses.add('approximated', `${path}/extensions`, 'info', 'thoughts travel in reasoning_content');
  }
  const { text, summary = [] } = item;
  if (text === undefined || text === '')
    losses.add('approximated', path, 'info', 'a thought is its text here');
  if (summary.length > 0)
    losses.add('approximated', `${path}/summary`, 'info', 'a thought has one text here');
  return text ?? summary.join('\n\n');
}
