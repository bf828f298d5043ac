import { type Spelling, spelling } from '../codec/spelling.ts';

const LEADING = {
  type: undefined,
  id: undefined,
  call_id: undefined,
  name: undefined,
  namespace: undefined,
  arguments: undefined,
  input: undefined,
  action: undefined,
  operation: undefined,
  status: undefined,
} as const;
const OTHERS = ['role', 'content', 'summary', 'encrypted_content', 'output'] as const;

/** A whole answer. */
export const RESPONSE_SPELLING: Spelling = spelling(
  'object',
  { output: spelling('list', LEADING, OTHERS), status: undefined },
  ['id', 'object', 'created_at', 'model', 'usage', 'error', 'metadata', 'tools', 'instructions'],
);

/** An event of a stream. */
export const EVENT_SPELLING: Spelling = spelling(
  'object',
  {
    type: undefined,
    response: RESPONSE_SPELLING,
    item: spelling('object', LEADING, OTHERS),
    item_id: undefined,
    output_index: undefined,
    delta: undefined,
    arguments: undefined,
    input: undefined,
  },
  ['sequence_number', 'content_index', 'summary_index', 'part', 'text', 'logprobs', 'obfuscation'],
);
