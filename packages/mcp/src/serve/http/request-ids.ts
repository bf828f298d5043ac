import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';

/** A request whose answer is on its way. */
interface OpenRequest {
  readonly theirs: RequestId;
  answered: boolean;
}

/**
 * Ids of our own for the requests of one session. The SDK tells them apart by their ids, and some clients write the
 * same one on all of theirs, which is enough for them: over HTTP each request has an answer of its own. No id of ours
 * is given twice, so that nothing that a cancelled call still says gets into the stream of another one.
 */
export class RequestIds {
  #last = 0;
  readonly #open = new Map<RequestId, OpenRequest>();
  readonly #own = new Map<RequestId, Set<number>>();

  /** Requests whose answers are on their way. */
  get size(): number {
    return this.#open.size;
  }

  /** Whether a request with this id of ours is on its way. */
  has(own: RequestId): boolean {
    return this.#open.has(own);
  }

  /** @returns The id that the request has from here on. */
  begin(theirs: RequestId): number {
    this.#last += 1;
    const own = this.#last;
    this.#open.set(own, { theirs, answered: false });
    const same = this.#own.get(theirs);
    if (same === undefined) this.#own.set(theirs, new Set([own]));
    else same.add(own);
    return own;
  }

  /**
   * Notes that nobody waits for the answer any more.
   *
   * @returns Whether it went out.
   */
  end(own: number): boolean {
    const request = this.#open.get(own);
    if (request === undefined) return false;
    this.#open.delete(own);
    const same = this.#own.get(request.theirs);
    same?.delete(own);
    if (same?.size === 0) this.#own.delete(request.theirs);
    return request.answered;
  }

  /** The request that a client means by an id of its own. */
  find(theirs: RequestId): number | 'none' | 'several' {
    const same = this.#own.get(theirs);
    if (same === undefined) return 'none';
    const [own = 'none'] = same;
    return same.size === 1 ? own : 'several';
  }

  /**
   * A message as it goes out: an answer goes to the request with our id, and is written with the id of the client.
   * The SDK finds the stream by the one and writes what `toJSON` says.
   */
  addressed(message: JSONRPCMessage): JSONRPCMessage {
    if ('method' in message || message.id === undefined) return message;
    const request = this.#open.get(message.id);
    if (request === undefined) return message;
    request.answered = true;
    const { theirs } = request;
    return Object.defineProperty({ ...message }, 'toJSON', { value: () => ({ ...message, id: theirs }) });
  }
}
