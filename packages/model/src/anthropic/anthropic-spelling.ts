import { type Spelling, spelling } from '../codec/spelling.ts';

const LEADING = { type: undefined, id: undefined, name: undefined, input: undefined } as const;
const OTHERS = ['text', 'thinking', 'signature', 'citations', 'caller'] as const;

/** A whole answer. */
export const MESSAGE_SPELLING: Spelling = spelling(
  'object',
  { content: spelling('list', LEADING, OTHERS), stop_reason: undefined },
  ['id', 'type', 'role', 'model', 'usage', 'stop_sequence'],
);

/** An event of a stream. */
export const EVENT_SPELLING: Spelling = spelling(
  'object',
  {
    type: undefined,
    index: undefined,
    message: MESSAGE_SPELLING,
    content_block: spelling('object', LEADING, OTHERS),
    delta: spelling('object', { type: undefined, partial_json: undefined, stop_reason: undefined }, [
      'text',
      'thinking',
      'signature',
      'citation',
      'stop_sequence',
    ]),
  },
  ['usage'],
);
