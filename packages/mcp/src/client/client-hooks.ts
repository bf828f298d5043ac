import {
  type Client,
  type ClientCapabilities,
  type CreateMessageRequest,
  type CreateMessageResult,
  type ElicitRequest,
  type ElicitRequestURLParams,
  type ElicitResult,
  type ListRootsResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import { OpenQuestions } from './open-questions.ts';
import { isPage } from './page-visit.ts';

/**
 * What an application lets a server ask for. Without a hook the capability is not announced and every such request is
 * declined: a server cannot put questions to a person, use the model, or look at folders by itself.
 */
export interface ClientHooks {
  /** Puts a question of the server to a person. */
  readonly elicit?: (params: ElicitRequest['params'], signal: AbortSignal) => Promise<ElicitResult>;
  /**
   * Sends a person who consents to a page of the server, such as for a login, and says what they did. The address is the
   * server's word, of http or https: a person has to see where it leads, and a model never needs it. A call that waits for
   * it is sent again when this resolves with `accept`.
   */
  readonly openUrl?: (params: ElicitRequestURLParams, signal: AbortSignal) => Promise<ElicitResult>;
  /** Lets the server use a model. */
  readonly sample?: (
    params: CreateMessageRequest['params'],
    signal: AbortSignal,
  ) => Promise<CreateMessageResult>;
  /** Tells the server which folders it may work in. */
  readonly roots?: () => Promise<ListRootsResult['roots']>;
}

/** The capabilities that the hooks stand for. */
export function hookCapabilities({ elicit, openUrl, sample, roots }: ClientHooks): ClientCapabilities {
  const elicitation = {
    ...(elicit === undefined ? {} : { form: {} }),
    ...(openUrl === undefined ? {} : { url: {} }),
  };
  return {
    ...(elicit === undefined && openUrl === undefined ? {} : { elicitation }),
    ...(sample === undefined ? {} : { sampling: {} }),
    ...(roots === undefined ? {} : { roots: {} }),
  };
}

/**
 * Connects the hooks that there are.
 *
 * @returns The questions that wait for them, where there may be any.
 */
export function installHooks(
  client: Client,
  { elicit, openUrl, sample, roots }: ClientHooks,
): OpenQuestions | undefined {
  const questions = new OpenQuestions();
  if (elicit !== undefined || openUrl !== undefined) {
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq: { signal } }) =>
      questions.during(async () => {
        // What is not announced the SDK has refused before.
        if (params.mode !== 'url') return elicit?.(params, signal) ?? CANCELLED;
        if (!isPage(params.url)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, NO_PAGE);
        return openUrl?.(params, signal) ?? CANCELLED;
      }),
    );
  }
  if (sample !== undefined) {
    client.setRequestHandler('sampling/createMessage', (request, context) =>
      questions.during(async () => sample(request.params, context.mcpReq.signal)),
    );
  }
  if (roots !== undefined) client.setRequestHandler('roots/list', async () => ({ roots: await roots() }));
  return [elicit, openUrl, sample].every((hook) => hook === undefined) ? undefined : questions;
}

const CANCELLED: ElicitResult = Object.freeze({ action: 'cancel' });
const NO_PAGE = 'The address is none of http or https, or holds a name.';
