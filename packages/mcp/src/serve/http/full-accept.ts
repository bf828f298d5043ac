const EVENTS = 'text/event-stream';
const BOTH = `application/json, ${EVENTS}`;

/**
 * What a request is taken to accept. The protocol wants both kinds of answers named; many clients write a wildcard, or
 * nothing, which is anything (RFC 9110, section 12.5.1). Whoever takes a stream of events can be given every answer.
 *
 * @returns The header as the SDK wants it; as it came, where the client takes no stream of events.
 */
export function fullAccept(accept: string | null, method: string): string {
  if (!takesEvents(accept ?? '')) return accept ?? '';
  return method === 'GET' ? EVENTS : BOTH;
}

/** Whether a client takes JSON, and no stream of events: some clients were written for servers that never send one. */
export function takesJsonAlone(accept: string | null): boolean {
  return accept !== null && !takesEvents(accept) && takes(accept, JSON_TYPES);
}

function takesEvents(accept: string): boolean {
  return accept.trim() === '' || takes(accept, EVENT_TYPES);
}

const JSON_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/*']);
const EVENT_TYPES: ReadonlySet<string> = new Set([EVENTS, 'text/*', '*/*']);

function takes(accept: string, types: ReadonlySet<string>): boolean {
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (!types.has(type)) return false;
    return !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter));
  });
}
