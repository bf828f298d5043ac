import { type ModelEvent, PROTOCOLS } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { exchange, textOf } from '../../../test-support/ask-raw.ts';
import { type GatewaySetup, testFirewall } from '../../../test-support/gateway-fixture.ts';

/** C516: what a model says in several turns or messages ran together, where a wire has one text for all. */

const candidates = [{ provider: 'm', model: undefined }];
const FEEDBACK: Omit<GatewaySetup, 'providers'> = {
  routes: [{ model: 'm', candidates, firewall: testFirewall({ onRefusal: 'feedback', maxRounds: 2 }) }],
};
const CONTROL: Omit<GatewaySetup, 'providers'> = {
  routes: [{ model: 'm', candidates, control: { tool: 'attempt_completion' } }],
};

/** A turn that says a text in pieces, and calls `find` in a way that is refused where it shall be. */
function turn(pieces: readonly string[], isRefused: boolean): readonly ModelEvent[] {
  const call = { index: 1, callId: 'c1', name: 'find' } as const;
  return [
    { kind: 'response-start', id: 'a', model: 'up', createdAt: 1 },
    { kind: 'text-start', index: 0 },
    ...pieces.map((text): ModelEvent => ({ kind: 'text-delta', index: 0, text })),
    { kind: 'text-end', index: 0 },
    ...(isRefused
      ? [
          { kind: 'call-start', ...call } as const,
          { kind: 'call-delta', index: 1, delta: '{"path":7}' } as const,
          { kind: 'call-end', ...call, arguments: '{"path":7}' } as const,
        ]
      : []),
    { kind: 'response-end', finish: isRefused ? 'tool-calls' : 'stop' },
  ];
}

/** What a client reads of two turns. */
async function said(
  surface: (typeof PROTOCOLS)[number],
  stream: boolean,
  setup: Omit<GatewaySetup, 'providers'>,
  [before, behind]: readonly [readonly string[], readonly string[]],
): Promise<string> {
  const turns = [turn(before, setup === FEEDBACK), turn(behind, false)];
  return exchange({ surface, backend: 'openai-chat', stream, turns, setup }, ({ provider, response }) => {
    expect(provider.requests).toHaveLength(2);
    return textOf(response);
  });
}

describe.each([
  ['a call that was refused', FEEDBACK],
  ['an answer without a completion', CONTROL],
] as const)('behind a hidden round for %s', (_, setup) => {
  test.each(PROTOCOLS.flatMap((surface) => [true, false].map((stream) => [surface, stream] as const)))(
    'a client of %s (streamed: %s) reads a paragraph of its own',
    async (surface, stream) => {
      expect(
        await said(surface, stream, setup, [
          ['I look', ' at it.'],
          ['', 'It is', ' done.'],
        ]),
      ).toBe('I look at it.\n\nIt is done.');
    },
  );

  test('nothing is added where there was no text before, or where white space parts them', async () => {
    expect(await said('openai-chat', true, setup, [[' '], ['Done.']])).toMatch(/^ ?Done\.$/);
    expect(await said('openai-chat', true, setup, [['Look.'], [' ', 'Done.']])).toBe('Look. Done.');
    expect(
      await said('openai-chat', true, setup, [
        ['Look.', '\n'],
        ['Done.', 'So.'],
      ]),
    ).toBe('Look.\nDone.So.');
  });
});

describe('messages of a provider of Responses', () => {
  const text = (index: number, itemId: string, said: string): readonly ModelEvent[] => [
    { kind: 'text-start', index, itemId },
    { kind: 'text-delta', index, text: said },
    { kind: 'text-end', index },
  ];
  const read = async (stream: boolean, ...texts: readonly (readonly ModelEvent[])[]): Promise<string> => {
    const turn: readonly ModelEvent[] = [
      { kind: 'response-start', id: 'a', model: 'up', createdAt: 1 },
      ...texts.flat(),
      { kind: 'response-end', finish: 'stop' },
    ];
    const asked = { surface: 'openai-chat', backend: 'openai-responses', stream, turns: [turn] } as const;
    return exchange(asked, ({ response }) => textOf(response));
  };

  test.each([true, false])('are paragraphs of the one text of Chat (streamed: %s)', async (stream) => {
    expect(await read(stream, text(0, 'm1', 'I look.'), text(1, 'm2', 'Done.'))).toBe('I look.\n\nDone.');
    expect(await read(stream, text(0, 'm1', 'I look. '), text(1, 'm2', 'Done.'))).toBe('I look. Done.');
  });

  test.each([true, false])('stay whole, however many parts they have (streamed: %s)', async (stream) => {
    expect(await read(stream, text(0, 'm1', 'See ['), text(1, 'm1', '1] there.'))).toBe('See [1] there.');
  });
});
