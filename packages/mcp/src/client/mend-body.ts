import { isJSONRPCErrorResponse } from '@modelcontextprotocol/client';
import { McpError } from '../mcp-error.ts';
import type { Asked } from './asked-by.ts';
import { brokenAnswer } from './broken-answer.ts';
import { isData, type StreamEvent, saidBy } from './event-reader.ts';
import { progressOf } from './mend-progress.ts';
import { readEvents } from './read-events.ts';
import { isMessage, readMessages } from './read-messages.ts';
import { answeredBy, answeredByText, unusableAnswer } from './unusable-answer.ts';

/**
 * The whole body of an answer of HTTP as the SDK takes it. What it says belongs to the request: an error that names no
 * request is about this one, and a body without its answer will not bring it any more.
 *
 * @returns `undefined` for a body that stays as it is, because it is right, no JSON, or no answer to a message.
 * @throws {@link McpError} `mcp/result-invalid` for one that is ambiguous, and for an answer that is no JSON.
 */
export function mendBody(text: string, asked: Asked | undefined): string | undefined {
  const read = readMessages(text) ?? readEvents(text);
  if (McpError.is(read)) throw read;
  if (read === undefined) {
    const broken = asked?.id === undefined ? undefined : brokenAnswer(text);
    if (broken !== undefined) throw broken.fault;
    return undefined;
  }
  if (asked?.id === undefined) return undefined;
  const { id } = asked;
  const messages = read.messages.filter(isMessage).map((message) => addressed(message, asked));
  if (!messages.some((message) => isAnswerTo(message, id))) messages.push(unusableAnswer(id));
  const [only] = messages;
  if (!read.isMended && messages.length === 1 && only === read.messages[0]) return undefined;
  return JSON.stringify(messages.length === 1 ? only : messages);
}

/** An event as it is given on. */
export interface MendedEvent {
  readonly text: string;
  /** Whether it brings the answer to the request that the stream belongs to: nothing else is to come. */
  readonly isAnswer: boolean;
}

/**
 * One event of a stream, as text that the SDK takes. What is ambiguous or no JSON, and answers a request, stands as an
 * answer that nobody can use.
 *
 * @param onRefused - Told of that.
 * @throws {@link McpError} `mcp/result-invalid` for anything else that is ambiguous.
 */
export function mendEvent(
  event: StreamEvent,
  asked: Asked | undefined,
  onRefused: (error: McpError) => void,
): MendedEvent {
  const { lines } = event;
  const data = saidBy(event);
  const asItIs = { text: `${lines.join('\n')}\n\n`, isAnswer: false };
  if (data === undefined || data === '') return asItIs;
  const isBare = event.data === undefined;
  const fields = isBare ? [] : lines.filter((line) => !isData(line)).map((line) => `${line}\n`);
  const write = (message: unknown): string => `${fields.join('')}data: ${JSON.stringify(message)}\n\n`;
  const unusable = (id: string | number, why: McpError): MendedEvent => {
    onRefused(why);
    const answer = unusableAnswer(id);
    return { text: write(answer), isAnswer: isAnswered(answer, asked) };
  };
  const read = readMessages(data);
  if (McpError.is(read)) {
    const answered = answeredByText(data);
    if (answered === undefined) throw read;
    return unusable(answered, read);
  }
  if (read === undefined) {
    const broken = brokenAnswer(data);
    return broken === undefined ? asItIs : unusable(broken.id, broken.fault);
  }
  const messages = read.messages.map((message) => addressed(message, asked));
  const isAnswer = messages.some((message) => isAnswered(message, asked));
  const isSame = !isBare && !read.isMended && messages[0] === read.messages[0];
  return { text: isSame ? asItIs.text : messages.map(write).join(''), isAnswer };
}

/** An error without an id, and progress of nobody, are about the request that they come in answer to. */
function addressed(message: unknown, asked: Asked | undefined): unknown {
  if (asked?.id === undefined) return message;
  if (!isJSONRPCErrorResponse(message)) return progressOf(message, asked.id);
  return message.id === undefined ? { ...message, id: asked.id } : message;
}

function isAnswered(message: unknown, asked: Asked | undefined): boolean {
  return asked?.id !== undefined && isAnswerTo(message, asked.id);
}

/** Some servers write an id as the text of what it was. */
function isAnswerTo(message: unknown, id: string | number): boolean {
  const answered = answeredBy(message);
  return answered !== undefined && String(answered) === String(id);
}
