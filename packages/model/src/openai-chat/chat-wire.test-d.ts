import type OpenAI from 'openai';
import { expectTypeOf, test } from 'vitest';
import type { Mutable } from '../../test-support/mutable.ts';
import type { ChatChunk, ChatRequestBody, ChatResponseBody, ChatUsage } from './chat-wire.ts';

type Request = OpenAI.Chat.Completions.ChatCompletionCreateParams;
type Response = OpenAI.Chat.Completions.ChatCompletion;
type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;

test('what is written is what the official client takes', () => {
  expectTypeOf<Mutable<ChatRequestBody>>().toExtend<Request>();
  expectTypeOf<Mutable<ChatResponseBody>>().toExtend<Response>();
  expectTypeOf<Mutable<ChatChunk>>().toExtend<Chunk>();
  expectTypeOf<Mutable<ChatUsage>>().toExtend<OpenAI.Completions.CompletionUsage>();
});

test('the comparison can fail', () => {
  expectTypeOf<Mutable<Omit<ChatRequestBody, 'messages'>>>().not.toExtend<Request>();
  expectTypeOf<Mutable<Omit<ChatChunk, 'choices'>>>().not.toExtend<Chunk>();
});
