/** Whether there is a sign of life in what a client got since the start of its answer. */
export function hasSign(text: string): boolean {
  return text.includes(': keep-alive') || text.includes('event: ping') || parts(text).length > 2;
}

/** A stream without its signs of life; `response.in_progress` is one where it comes again. */
export function withoutSigns(text: string): string {
  const plain = text
    .replaceAll(': keep-alive\n\n', '')
    .replaceAll('event: ping\ndata: {"type":"ping"}\n\n', '');
  const [before = '', first, ...again] = parts(plain);
  if (first === undefined) return plain;
  return [before, STILL, first, ...again.map((part) => part.slice(part.indexOf('\n\n') + 2))].join('');
}

const STILL = 'event: response.in_progress\n';

function parts(text: string): readonly string[] {
  return text.split(STILL);
}
