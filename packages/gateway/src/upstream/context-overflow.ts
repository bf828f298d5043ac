/**
 * What providers and servers write when a conversation is longer than the model can read; most of them have no code for
 * it. Each pattern is linear in the text, which is bounded.
 */
const SENTENCES: readonly RegExp[] = [
  /context_length_exceeded/i,
  /prompt is too long/i,
  /maximum context length/i,
  /(?:exceeds?|exceeded|larger than|longer than) (?:the |this )?(?:model's )?(?:maximum |available )?context (?:window|length|size)/i,
  /input token count.{0,80}exceeds the maximum/i,
];

/** Whether a provider says that the conversation is too long, by the code and the message of its error. */
export function isContextOverflow(code: unknown, message: string): boolean {
  if (code === 'context_length_exceeded') return true;
  return SENTENCES.some((sentence) => sentence.test(message));
}
