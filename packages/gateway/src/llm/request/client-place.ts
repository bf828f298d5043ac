import { isUtf8 } from 'node:buffer';
import type { Item, Protocol } from '@toolgate/model';
import type { Refusal } from '../../http/refusal.ts';
import type { ClientCall } from '../surfaces/read-call.ts';

/** What a place of a translated call is looked for in. */
export interface ClientPlaceOptions {
  readonly client: Pick<ClientCall, 'body' | 'call' | 'codec' | 'protocol'>;
  /** The conversation that the place counts in: the client's, or one made from it. */
  readonly items: readonly Item[];
}

/**
 * A refusal whose place is one of the body that the client sent, said in its words as well, since not every protocol has
 * a member for places. A place that the body does not have, or that would take long to find, is left out.
 */
export function atClientPlace(refusal: Refusal, options: ClientPlaceOptions): Refusal {
  const { pointer, ...rest } = refusal;
  if (pointer === undefined) return refusal;
  const place = clientPlace(pointer, options);
  if (place === undefined) return Object.freeze(rest);
  return Object.freeze({ ...rest, message: `${rest.message} (${place})`, pointer: place });
}

/** The place in a client's body of a place in the neutral call; `undefined` where there is none to tell. */
export function clientPlace(pointer: string, { client, items }: ClientPlaceOptions): string | undefined {
  const { protocol } = client;
  const [, head = '', name = '', ...rest] = pointer.split('/');
  switch (head) {
    case '':
      return undefined;
    case 'items': {
      if (name === '') return `/${LISTS[protocol]}`;
      const index = ownIndex(items[Number(name)], Number(name), client.call.items, items);
      return index === undefined ? undefined : messagePlace(index, client);
    }
    case 'extensions':
      return name === 'members' && rest.length > 0 ? `/${rest.join('/')}` : undefined;
    case 'limits':
      return `/${client.call.limits?.spelling ?? placeOf(head, protocol)}`;
    case 'sampling': {
      const folder = protocol === 'gemini' ? '/generationConfig/' : '/';
      return `${folder}${placeOf(`${head}/${name}`, protocol) ?? inWords(name, protocol)}`;
    }
    default: {
      const place = placeOf(head, protocol);
      // What was lost when the body was read has its place in the body.
      return place === undefined ? pointer : `/${place}`;
    }
  }
}

function placeOf(member: string, protocol: Protocol): string | undefined {
  const place = PLACES.get(member);
  return place === undefined ? undefined : inWords(place[protocol] ?? place.any, protocol);
}

/** Where a wire has the members of the neutral call, by their names without underlines. */
const PLACES: ReadonlyMap<string, Partial<Record<Protocol, string>> & { readonly any: string }> = new Map([
  [
    'instructions',
    { any: 'messages', 'openai-responses': 'instructions', anthropic: 'system', gemini: 'systemInstruction' },
  ],
  ['limits', { any: 'maxTokens', 'openai-responses': 'maxOutputTokens', gemini: 'generationConfig' }],
  ['parallelToolCalls', { any: 'parallelToolCalls', anthropic: 'toolChoice' }],
  ['previousResponseId', { any: 'previousResponseId' }],
  [
    'reasoning',
    {
      any: 'reasoningEffort',
      'openai-responses': 'reasoning',
      anthropic: 'thinking',
      gemini: 'generationConfig',
    },
  ],
  [
    'responseFormat',
    {
      any: 'responseFormat',
      'openai-responses': 'text',
      anthropic: 'outputConfig',
      gemini: 'generationConfig',
    },
  ],
  ['sampling/candidates', { any: 'n', gemini: 'candidateCount' }],
  ['sampling/stop', { any: 'stop', anthropic: 'stopSequences', gemini: 'stopSequences' }],
  ['toolChoice', { any: 'toolChoice', gemini: 'toolConfig' }],
  ['tools', { any: 'tools' }],
]);

/** Only Gemini writes its members without underlines. */
function inWords(name: string, protocol: Protocol): string {
  return protocol === 'gemini' ? name : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Which item of the client's it is: the very same, or the one in its place where each was written anew. */
function ownIndex(
  item: Item | undefined,
  index: number,
  own: readonly Item[],
  items: readonly Item[],
): number | undefined {
  if (item === undefined) return undefined;
  const found = own.indexOf(item);
  if (found >= 0) return found;
  return own.length === items.length && own[index]?.kind === item.kind ? index : undefined;
}

/** Finding a place reads the conversation about ten times, and must not hold up others for long. */
const MAX_BYTES = 1_048_576;

const LISTS: Readonly<Record<Protocol, string>> = {
  'openai-chat': 'messages',
  'openai-responses': 'input',
  anthropic: 'messages',
  gemini: 'contents',
};

/** The message that an item was read from: the last of the shortest beginning of the conversation that has the item. */
function messagePlace(
  index: number,
  { body, call, codec, protocol }: ClientPlaceOptions['client'],
): string | undefined {
  if (body.byteLength > MAX_BYTES || !isUtf8(body)) return undefined;
  const read = JSON.parse(Buffer.from(body).toString('utf8')) as Record<string, unknown>;
  const name = LISTS[protocol];
  const list = read[name];
  if (!Array.isArray(list)) return undefined;
  const itemsOf = (count: number): number => {
    const beginning = { model: call.model, max_tokens: 1, [name]: list.slice(0, count) };
    return codec.decodeRequest(beginning, { model: call.model }).value.items.length;
  };
  let without = 0;
  let within = list.length;
  while (within - without > 1) {
    const middle = (without + within) >> 1;
    if (itemsOf(middle) > index) within = middle;
    else without = middle;
  }
  return `/${name}/${within - 1}`;
}
