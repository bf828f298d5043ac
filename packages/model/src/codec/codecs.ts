import { anthropic } from '../anthropic/anthropic.ts';
import type { Protocol } from '../call/protocol.ts';
import { gemini } from '../gemini/gemini.ts';
import { openaiChat } from '../openai-chat/openai-chat.ts';
import { openaiResponses } from '../openai-responses/openai-responses.ts';
import type { Codec } from './codec.ts';

/** The codec of a protocol. */
export function codecOf(protocol: Protocol): Codec {
  switch (protocol) {
    case 'openai-chat':
      return openaiChat;
    case 'openai-responses':
      return openaiResponses;
    case 'anthropic':
      return anthropic;
    case 'gemini':
      return gemini;
  }
}
