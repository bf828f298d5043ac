import type {
  Client,
  ClientCapabilities,
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequest,
  ElicitResult,
  ListRootsResult,
} from '@modelcontextprotocol/client';
import { OpenQuestions } from './open-questions.ts';

/**
 * What an application lets a server ask for. Without a hook the capability is not announced and every such request is
 * declined: a server cannot put questions to a person, use the model, or look at folders by itself.
 */
export interface ClientHooks {
  /** Puts a question of the server to a person. */
  readonly elicit?: (params: ElicitRequest['params'], signal: AbortSignal) => Promise<ElicitResult>;
  /** Lets the server use a model. */
  readonly sample?: (
    params: CreateMessageRequest['params'],
    signal: AbortSignal,
  ) => Promise<CreateMessageResult>;
  /** Tells the server which folders it may work in. */
  readonly roots?: () => Promise<ListRootsResult['roots']>;
}

/** The capabilities that the hooks stand for. */
export function hookCapabilities({ elicit, sample, roots }: ClientHooks): ClientCapabilities {
  return {
    ...(elicit === undefined ? {} : { elicitation: { form: {} } }),
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
  { elicit, sample, roots }: ClientHooks,
): OpenQuestions | undefined {
  const questions = new OpenQuestions();
  if (elicit !== undefined) {
    client.setRequestHandler('elicitation/create', (request, context) =>
      questions.during(async () => elicit(request.params, context.mcpReq.signal)),
    );
  }
  if (sample !== undefined) {
    client.setRequestHandler('sampling/createMessage', (request, context) =>
      questions.during(async () => sample(request.params, context.mcpReq.signal)),
    );
  }
  if (roots !== undefined) client.setRequestHandler('roots/list', async () => ({ roots: await roots() }));
  return elicit === undefined && sample === undefined ? undefined : questions;
}
