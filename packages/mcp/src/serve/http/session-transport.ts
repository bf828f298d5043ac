import {
  type WebStandardStreamableHTTPServerTransportOptions as Options,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { RequestIds } from './request-ids.ts';

/** The SDK's transport of one session, within which each request has an id of ours. */
export interface SessionTransport {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Of the requests whose answers are on their way. */
  readonly ids: RequestIds;
  /** Notes that the stream of an answer has ended. What its request still says goes nowhere. */
  readonly end: (own: number) => void;
}

/** Makes the transport of one session. */
export function sessionTransport(options: Options): SessionTransport {
  const ids = new RequestIds();
  const transport = new WebStandardStreamableHTTPServerTransport(options);
  const send = transport.send.bind(transport);
  transport.send = async (message, sendOptions) => {
    const isRequest = 'method' in message && 'id' in message;
    const about = 'method' in message ? sendOptions?.relatedRequestId : message.id;
    if (about !== undefined && !isRequest && !ids.has(about)) return;
    await send(ids.addressed(message), sendOptions);
  };
  return {
    transport,
    ids,
    end: (own) => {
      if (ids.end(own)) return;
      // The SDK remembers where an answer goes until there is one, and looks through all of that at each answer: it is
      // given one for nobody, and complains to nobody about it.
      const { onerror } = transport;
      transport.onerror = () => undefined;
      void send({ jsonrpc: '2.0', id: own, result: {} }).catch(() => undefined);
      if (onerror === undefined) delete transport.onerror;
      else transport.onerror = onerror;
    },
  };
}
