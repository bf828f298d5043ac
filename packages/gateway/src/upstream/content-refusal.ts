/** Words that services have for a request whose content they refuse. */
const WORDS: ReadonlySet<unknown> = new Set([
  'content_filter',
  'content_policy_violation',
  'data_inspection_failed',
  'flagged_input',
  'moderation',
  'moderation_error',
  'moderation_blocked',
  'responsible_ai_policy_violation',
]);

/** What services write of content that they refuse. Each pattern is linear in the text, which is bounded. */
const SENTENCES: readonly RegExp[] = [
  /\b(?:input|prompt|content|messages?|request|text|image|query)\b.{0,40}\b(?:flagged|moderat|violat|prohibited)/i,
  /\brequires moderation\b/i,
  /\bcontent[ -](?:policy|filter|moderation|safety|management|inspection)/i,
];

/** Whether a service refuses what a request says, and not who sent it, by the words and the message of its error. */
export function isContentRefusal(words: readonly unknown[], message: string): boolean {
  return words.some((word) => WORDS.has(word)) || SENTENCES.some((sentence) => sentence.test(message));
}
