import type { ContentPart, FinishReason, Item, ModelResponse, Usage } from '@toolgate/model';

const FINISH: ReadonlySet<string> = new Set<FinishReason>([
  'stop',
  'tool-calls',
  'length',
  'content-filter',
  'refusal',
  'paused',
  'error',
  'unknown',
]);

/**
 * Makes an answer fit to be stored and sent back, whatever model it came from: a word that is no finish reason is
 * `unknown`, a count that is no count is not known, an id or a name that is no text is blank, and no text has half a
 * character, which no request could carry. In arguments such a half is escaped instead: they mean the same, and are
 * refused for it.
 */
export function fitResponse(response: ModelResponse): ModelResponse {
  const { finish, usage, items } = response;
  const fitted = items.some((item) => fitItem(item) !== item) ? Object.freeze(items.map(fitItem)) : items;
  const count = usage === null ? null : fitUsage(usage);
  if (fitted === items && count === usage && FINISH.has(finish)) return response;
  return Object.freeze({
    ...response,
    items: fitted,
    usage: count,
    finish: FINISH.has(finish) ? finish : 'unknown',
  });
}

function fitItem(item: Item): Item {
  switch (item.kind) {
    case 'tool-call': {
      const callId = textOr(item.callId);
      const name = textOr(item.name);
      const text = item.arguments.isWellFormed() ? item.arguments : escapeHalves(item.arguments);
      return callId === item.callId && name === item.name && text === item.arguments
        ? item
        : Object.freeze({ ...item, callId, name, arguments: text });
    }
    case 'message':
      return item.parts.every(isFit)
        ? item
        : Object.freeze({ ...item, parts: Object.freeze(item.parts.map(fitPart)) });
    case 'reasoning': {
      const { text, summary } = item;
      if (text?.isWellFormed() !== false && summary?.every((part) => part.isWellFormed()) !== false)
        return item;
      return Object.freeze({
        ...item,
        ...(text === undefined ? {} : { text: text.toWellFormed() }),
        ...(summary === undefined ? {} : { summary: summary.map((part) => part.toWellFormed()) }),
      });
    }
    case 'tool-result':
    case 'foreign':
      return item;
  }
}

function isFit(part: ContentPart): boolean {
  return (part.kind !== 'text' && part.kind !== 'refusal') || part.text.isWellFormed();
}

function fitPart(part: ContentPart): ContentPart {
  return part.kind === 'text' || part.kind === 'refusal'
    ? Object.freeze({ ...part, text: part.text.toWellFormed() })
    : part;
}

function textOr(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : '';
}

/** Each half of a character as its JSON escape; whole ones stay. */
function escapeHalves(text: string): string {
  return Array.from(text, (character) =>
    character.isWellFormed() ? character : `\\u${character.charCodeAt(0).toString(16)}`,
  ).join('');
}

function fitUsage(usage: Usage): Usage {
  const { inputTotal, cacheRead, cacheWrite, outputTotal, reasoning } = usage;
  if ([inputTotal, cacheRead, cacheWrite, outputTotal, reasoning].every((count) => fitCount(count) === count))
    return usage;
  return Object.freeze({
    inputTotal: fitCount(inputTotal),
    cacheRead: fitCount(cacheRead),
    cacheWrite: fitCount(cacheWrite),
    outputTotal: fitCount(outputTotal),
    reasoning: fitCount(reasoning),
  });
}

function fitCount(count: number | null): number | null {
  return typeof count === 'number' && Number.isFinite(count) && count >= 0 ? count : null;
}
