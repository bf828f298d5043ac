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
import { ignoreThrown } from '@toolgate/core';
import { McpError } from '../mcp-error.ts';
import { OpenQuestions } from './open-questions.ts';
import { PageNotices } from './page-notices.ts';
import { type OpenPage, readPage } from './page-visit.ts';

/**
 * What an application lets a server ask for. Without a hook the capability is not announced and every such request is
 * declined: a server cannot put questions to a person, use the model, or look at folders by itself.
 */
export interface ClientHooks {
  /** Puts a question of the server to a person. */
  readonly elicit?: (params: ElicitRequest['params'], signal: AbortSignal) => Promise<ElicitResult>;
  /**
   * Sends a person who consents to a page of the server, such as for a login, and says what they did. The address is the
   * server's word, of http or https, as a browser reads it: a person has to see where it leads, and a model never needs it.
   * A call that waits for it is sent again, once, when this resolves with `accept`, and so not before the person is done.
   *
   * @param completed - Settles when the server says that the person is done; many servers never say so.
   */
  readonly openUrl?: (
    params: ElicitRequestURLParams,
    signal: AbortSignal,
    completed: Promise<void>,
  ) => Promise<ElicitResult>;
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

/** What the hooks of a connection are for besides the server's own requests. */
export interface Asked {
  /** What waits for the application; `undefined` where nothing can. */
  readonly questions: OpenQuestions | undefined;
  /** Sends a person to a page, where there is a hook for that. */
  readonly openPage: OpenPage | undefined;
}

/** Connects the hooks that there are. What a hook throws is for neither the server nor the model. */
export function installHooks(client: Client, { elicit, openUrl, sample, roots }: ClientHooks): Asked {
  const questions = new OpenQuestions();
  const openPage = openUrl && pageOpener(client, openUrl, questions);
  if (elicit !== undefined || openPage !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq: { signal } }) => {
      // What is not announced the SDK has refused before.
      if (params.mode !== 'url') {
        return answered(client, async () =>
          questions.during(async (either) => elicit?.(params, either) ?? CANCELLED, signal),
        );
      }
      const page = readPage(params);
      if (page === undefined) throw unanswerable(client, ProtocolErrorCode.InvalidParams, NO_PAGE);
      return answered(client, async () => openPage?.({ ...params, ...page }, signal) ?? CANCELLED);
    });
  }
  if (sample !== undefined) {
    client.setRequestHandler('sampling/createMessage', async ({ params }, { mcpReq: { signal } }) =>
      answered(client, async () => questions.during(async (either) => sample(params, either), signal)),
    );
  }
  if (roots !== undefined) {
    client.setRequestHandler('roots/list', async () =>
      answered(client, async () => ({ roots: await roots() })),
    );
  }
  const isQuiet = [elicit, openUrl, sample].every((hook) => hook === undefined);
  return { questions: isQuiet ? undefined : questions, openPage };
}

function pageOpener(
  client: Client,
  openUrl: NonNullable<ClientHooks['openUrl']>,
  questions: OpenQuestions,
): OpenPage {
  const notices = new PageNotices();
  client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
    notices.complete(params.elicitationId),
  );
  return async (page, signal) =>
    questions.during(
      async (either) =>
        notices.during(page.elicitationId, async (completed) => openUrl(page, either, completed)),
      signal,
    );
}

async function answered<Answer>(client: Client, answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    ignoreThrown(error);
    // An application that knows the protocol may say no in its words.
    if (error instanceof ProtocolError) throw error;
    throw unanswerable(client, ProtocolErrorCode.InternalError, NO_ANSWER, error);
  }
}

/**
 * That a question gets no answer. In the newest revision it is our own call that fails of it, and in older ones the request
 * of the server.
 */
function unanswerable(client: Client, code: ProtocolErrorCode, message: string, cause?: unknown): Error {
  return client.getProtocolEra() === 'modern'
    ? new McpError('mcp/not-answered', message, { cause })
    : new ProtocolError(code, message);
}

const CANCELLED: ElicitResult = Object.freeze({ action: 'cancel' });
const NO_PAGE = 'The address is none of http or https, or holds a name, or is too long.';
const NO_ANSWER = 'The application failed to answer.';
