/** The members of a source of media that are texts, by its kind. */
const SOURCES: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['base64', ['mediaType', 'data']],
  ['url', ['url']],
  ['file-id', ['protocol', 'id']],
  ['text', ['mediaType', 'text']],
]);

/**
 * What is wrong with a list of parts, and where in it; `undefined` for nothing. What is no part has no form on a wire: a
 * picture given as bytes would go out as the text of an object.
 */
export function faultOfParts(parts: unknown): string | undefined {
  if (!Array.isArray(parts)) return '/parts: it is a list';
  for (const [index, part] of parts.entries()) {
    const fault = faultOfPart(part);
    if (fault !== undefined) return `/parts/${index}${fault}`;
  }
  return undefined;
}

function faultOfPart(part: unknown): string | undefined {
  if (!isObject(part)) return ': a part is an object with a kind';
  switch (part['kind']) {
    case 'text':
    case 'refusal':
      return isText(part['text']) ? undefined : '/text: it is a text';
    case 'image':
    case 'audio':
    case 'file':
      return faultOfSource(part['source']);
    case 'foreign':
      return isText(part['protocol']) && part['value'] !== undefined ? undefined : ': it names its protocol';
    default:
      return '/kind: it is text, refusal, image, audio, file or foreign';
  }
}

function faultOfSource(source: unknown): string | undefined {
  if (!isObject(source)) return '/source: it is an object with a kind';
  const members = SOURCES.get(source['kind']);
  if (members === undefined) return '/source/kind: it is base64, url, file-id or text';
  const wrong = members.find((name) => !isText(source[name]));
  if (wrong === undefined) return undefined;
  return `/source/${wrong}: it is ${wrong === 'data' ? 'base64 text' : 'a text'}`;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): boolean {
  return typeof value === 'string';
}
