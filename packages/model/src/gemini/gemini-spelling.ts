import { type Spelling, spelling } from '../codec/spelling.ts';

const CALL = spelling('object', {
  id: undefined,
  name: undefined,
  args: undefined,
  partialArgs: undefined,
  willContinue: undefined,
});
const CONTENT = spelling('object', {
  parts: spelling('list', { functionCall: CALL }, ['text', 'thought', 'thoughtSignature']),
  role: undefined,
});

/** An answer, or a piece of one, with its names in camel case. */
export const GEMINI_SPELLING: Spelling = spelling(
  'object',
  {
    candidates: spelling('list', { index: undefined, content: CONTENT, finishReason: undefined }, [
      'safetyRatings',
      'avgLogprobs',
    ]),
  },
  ['usageMetadata', 'modelVersion', 'responseId', 'promptFeedback', 'createTime'],
);
