import { failureClass } from '@toolgate/model';

/**
 * What providers and servers write when a conversation is longer than the model can read; most of them have no code for
 * it. Each pattern is linear in the text, which is bounded.
 */
const SENTENCES: readonly RegExp[] = [
  /context_length_exceeded/i,
  /prompt is too long/i,
  /maximum context length/i,
  /(?:exceeds?|exceeded|larger than|longer than|greater than) (?:the |this )?(?:model's )?(?:maximum |max |available )?context (?:window|length|size)/i,
  /input token count.{0,80}exceeds the maximum/i,
  // Bedrock, xAI, Groq, Copilot, Kimi, MiniMax, LM Studio, OpenRouter, DashScope, Z.ai and Kiro, in this order.
  /input is too long for requested model/i,
  /maximum prompt length is \d/i,
  /reduce the length of the messages/i,
  /prompt token count.{0,80}exceeds the limit/i,
  /exceeded model token limit/i,
  /context window exceeds (?:the )?limit/i,
  /\bcontext (?:the )?overflows\b/i,
  /exceeds (?:the )?maximum allowed input length/i,
  /range of input length should be/i,
  /prompt exceeds max length|prompt 超长/i,
  /input content length exceeds threshold/i,
  /context (?:window|size|length) (?:has been|was) exceeded/i,
];

/** Whether a provider says that the conversation is too long, by the code and the message of its error. */
export function isContextOverflow(code: unknown, message: string): boolean {
  if (typeof code === 'string' && failureClass(code) === 'context') return true;
  return SENTENCES.some((sentence) => sentence.test(message));
}
