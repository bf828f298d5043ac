import {
  type Edit,
  editBytes,
  type Loss,
  type ModelCall,
  ModelError,
  type Protocol,
  writeGeminiPath,
} from '@toolgate/model';
import { refuse } from '../../http/refusal.ts';
import type { Provider } from '../../upstream/provider.ts';
import type { ClientCall } from '../surfaces/read-call.ts';
import type { OfferedTools } from './offered-tools.ts';
import type { Preparation } from './prepared-request.ts';

/** A request for a provider of the client's own protocol. */
export interface PassedRequest {
  readonly client: ClientCall;
  /** The call with the offered tools. */
  readonly call: ModelCall;
  readonly offered: OfferedTools;
  /** The model's name at the provider. */
  readonly model: string;
  readonly provider: Provider;
  /** Changes besides those of the tool list and the model. */
  readonly edits: readonly Edit[];
  readonly headers: Readonly<Record<string, string>>;
}

const FILTERED: readonly Loss[] = Object.freeze([
  Object.freeze({
    code: 'dropped',
    path: '/tools',
    severity: 'info',
    detail: 'tools that the key or the route does not let through',
  }),
]);

/** The client's own body, with as few changes as there have to be; without any it is the very same bytes. */
export function passRequest(passed: PassedRequest): Preparation {
  const { call, client, headers, model, offered } = passed;
  const edits = editsOf(passed);
  let { body } = client;
  try {
    if (edits.length > 0) body = editBytes(client.protocol, body, edits, client.outline);
  } catch (error) {
    if (!ModelError.is(error)) throw error;
    return { kind: 'refused', refusal: refuse('tool_unavailable') };
  }
  return {
    kind: 'prepared',
    request: {
      path: wirePath(client.protocol, model, call.stream === true),
      body,
      headers,
      sameProtocol: true,
      createRestorer: undefined,
      namespaces: undefined,
      losses: offered.filtered ? FILTERED : [],
      call,
    },
  };
}

function editsOf({ call, client, edits, model, offered, provider }: PassedRequest): readonly Edit[] {
  const own: Edit[] = [];
  if (model !== client.call.model) own.push({ kind: 'set-model', model });
  if (offered.filter !== undefined) own.push(offered.filter);
  const name = provider.maxTokensField;
  if (name !== undefined && call.limits !== undefined) own.push({ kind: 'name-limit', name });
  return edits.length === 0 ? own : [...own, ...edits];
}

/** The path of a method below the base URL of its provider. */
export function wirePath(protocol: Protocol, model: string, stream: boolean): string {
  switch (protocol) {
    case 'openai-chat':
      return 'chat/completions';
    case 'openai-responses':
      return 'responses';
    case 'anthropic':
      return 'messages';
    case 'gemini':
      return writeGeminiPath(model, stream);
  }
}
