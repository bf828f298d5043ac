import { PROTOCOLS, type Protocol } from '@toolgate/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callsOf, readAnswer, textOf } from '../../../test-support/ask-raw.ts';
import { withGateway } from '../../../test-support/gateway-fixture.ts';
import { post } from '../../../test-support/post.ts';
import { sendEvents, startRawProvider } from '../../../test-support/raw-provider.ts';
import { basePath, oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';

/** What stands in an answer: a text, a thought, or a call, in one of the ways in which servers say calls. */
const KINDS = [
  'text',
  'text',
  'thought',
  'call',
  'refused',
  'nameless',
  'spelled',
  'blank',
  'early',
] as const;
type Kind = (typeof KINDS)[number];

/** A stream of OpenAI Responses, with the text and the arguments that have to come of it. */
interface Answer {
  readonly sent: readonly string[];
  readonly text: string;
  readonly calls: readonly string[];
}

const pieces = (kind: Kind, at: number): readonly [string, string] =>
  kind === 'text' ? [`w${at} `, `x${at} `] : ['{"path"', `:"p${at}"}`];

/** The events of one item between its announcement and its final form, with both of them. */
function itemEvents(kind: Kind, at: number): readonly object[] {
  const place = { output_index: at, item_id: `i${at}` };
  const parts = pieces(kind, at);
  const whole = parts.join('');
  const around = (begun: object, between: readonly object[], final: object): readonly object[] => [
    { type: 'response.output_item.added', output_index: at, item: { id: `i${at}`, ...begun } },
    ...between.map((event) => ({ ...place, ...event })),
    { type: 'response.output_item.done', output_index: at, item: { id: `i${at}`, ...final } },
  ];
  if (kind === 'thought') {
    const thought = { type: 'reasoning', summary: [] };
    return around(thought, [], { ...thought, encrypted_content: 'e' });
  }
  if (kind === 'text') {
    const message = { type: 'message', role: 'assistant', content: [] };
    const said = { type: 'output_text', text: whole, annotations: [] };
    const deltas = parts.map((delta) => ({ type: 'response.output_text.delta', content_index: 0, delta }));
    return around(message, deltas, { ...message, content: [said] });
  }
  const name = kind === 'refused' ? 'delete_db' : 'find';
  const call = { type: 'function_call', call_id: `c${at}`, name };
  const unnamed = kind === 'nameless' ? { name: '', call_id: '' } : {};
  const spaced = kind === 'spelled' ? whole.replace(':', ' : ') : whole;
  const deltas = parts.map((delta) => ({ type: 'response.function_call_arguments.delta', delta }));
  const end = { type: 'response.function_call_arguments.done', arguments: spaced };
  return around(
    { ...call, ...unnamed, arguments: kind === 'early' ? whole : '' },
    kind === 'early' ? [] : [...deltas, end],
    { ...call, arguments: kind === 'blank' ? '' : spaced },
  );
}

function answerOf(kinds: readonly Kind[]): Answer {
  const events = kinds.flatMap(itemEvents);
  const output = events.flatMap((event) =>
    'item' in event && 'type' in event && event.type === 'response.output_item.done' ? [event.item] : [],
  );
  const said = kinds.map((kind, at) => ({ kind, whole: pieces(kind, at).join('') }));
  return {
    sent: [
      { type: 'response.created', response: { id: 'r', model: 'up', output: [] } },
      ...events,
      { type: 'response.completed', response: { id: 'r', model: 'up', status: 'completed', output } },
    ].map((event) => `data: ${JSON.stringify(event)}\n\n`),
    text: said.flatMap(({ kind, whole }) => (kind === 'text' ? [whole] : [])).join(''),
    calls: said.flatMap(({ kind, whole }) =>
      kind === 'text' || kind === 'thought' || kind === 'refused' ? [] : [whole],
    ),
  };
}

test.each(PROTOCOLS)(
  'texts and calls that are said in any way come once and in order to a client of %s',
  async (surface) => {
    let sent: readonly string[] = [];
    const provider = await startRawProvider((response, request) => sendEvents(sent)(response, request));
    const protocol: Protocol = 'openai-responses';
    const setup = { providers: { m: { protocol, baseUrl: `${provider.origin}${basePath(protocol)}` } } };
    await withGateway(setup, async ({ url }) => {
      const answers = fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 6 }).map(answerOf);
      const property = fc.asyncProperty(answers, async (answer) => {
        sent = answer.sent;
        const { body } = await post(`${url}${surfacePath(surface, true)}`, oddRequest(surface, true));
        const response = readAnswer(surface, true, body);
        expect(body).not.toContain('delete_db');
        // What stands for a refused call is a text of ours.
        expect([...textOf(response).matchAll(/[wx]\d+ /g)].join('')).toBe(answer.text);
        expect(callsOf(response).map(([, text]) => text.replaceAll(' ', ''))).toEqual(answer.calls);
        expect(response.finish).toBe(answer.calls.length === 0 ? 'stop' : 'tool-calls');
      });
      await fc.assert(property, { numRuns: 100 });
    });
    await provider.close();
  },
);
