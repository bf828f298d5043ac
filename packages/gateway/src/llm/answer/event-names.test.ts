import { PROTOCOLS } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { ASK, FINISH } from '../../../test-support/clients.ts';
import { sendEvents } from '../../../test-support/raw-provider.ts';
import { turnEvents, wireStream } from '../../../test-support/wire-samples.ts';

const TOOLS = [{ name: 'find', description: 'Finds.', schema: { type: 'object', properties: {} } }];

describe('a stream whose events have no names, and only say what they are', () => {
  test.each(
    PROTOCOLS.flatMap((surface) =>
      (['anthropic', 'openai-responses'] as const).map((of) => [surface, of] as const),
    ),
  )(
    'is understood by the official client of %s before %s, which may go by the names',
    async (surface, backend) => {
      const pieces = wireStream(backend, turnEvents([{ id: 'c1', arguments: '{"path":"a"}' }]));
      const nameless = pieces.map((piece) => piece.replace(/^event: .*\n/gm, ''));
      await withRawProvider(backend, [sendEvents(nameless)], {}, async ({ url }) => {
        const said = await ASK[surface](url, { model: 'm', text: 'hi', tools: TOOLS, stream: true });
        expect(said.text).toBe('Looking ü');
        expect(said.calls).toEqual([{ name: 'find', arguments: { path: 'a' } }]);
        expect(said.finish).toBe(FINISH[surface].calls);
      });
    },
  );
});
