import {
  encodeBody,
  type Loss,
  type ModelCall,
  ModelError,
  type ModelErrorCode,
  type Protocol,
} from '@toolgate/model';
import { type Refusal, type RefusalCode, refuse } from '../../http/refusal.ts';
import type { Candidate } from '../routes/route-table.ts';
import type { ClientCall } from '../surfaces/read-call.ts';
import { atClientPlace } from './client-place.ts';
import { oneSystem } from './one-system.ts';
import type { Preparation, PreparedRequest } from './prepared-request.ts';

/** A request that is written anew for a provider. */
export interface TranslatedRequest {
  readonly client: ClientCall;
  readonly call: ModelCall;
  readonly candidate: Candidate;
  /** The model's name at the provider. */
  readonly model: string;
  /** What was lost before. */
  readonly losses: readonly Loss[];
  /** Whether losses that change the meaning are refused. */
  readonly strict: boolean;
  readonly sameProtocol: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Where the client has functions that the call names as a whole. */
  readonly namespaces: PreparedRequest['namespaces'];
}

/** The call in the provider's protocol: history, schemas and names in the form it takes, every loss told. */
export function translateRequest(translated: TranslatedRequest): Preparation {
  const { call, candidate, client, model, strict } = translated;
  /** What places of items count in. */
  let { items } = call;
  try {
    const prepared = candidate.prepare(call);
    if (prepared.call.items.length === 0 && NEEDS_MESSAGE.has(candidate.provider.protocol)) {
      const detail = 'It needs a message besides instructions.';
      return { kind: 'refused', refusal: refuse('translation_refused', { detail }) };
    }
    items = prepared.call.items;
    const isChat = candidate.provider.protocol === 'openai-chat' && !translated.sameProtocol;
    const heard = isChat ? oneSystem(prepared.call) : { call: prepared.call, losses: [] };
    const wire = candidate.codec.encodeRequest({ ...heard.call, ...limitsOf(heard.call, candidate), model });
    const body = encodeBody(wire.value.body);
    const before = [...translated.losses, ...prepared.losses];
    const behind = [...heard.losses, ...wire.losses, ...body.losses];
    const early = refuseLosses(before, strict);
    const refusal = early ?? refuseLosses(behind, strict);
    if (refusal !== undefined) {
      const within = early === undefined ? items : call.items;
      return { kind: 'refused', refusal: atClientPlace(refusal, { client, items: within }) };
    }
    return {
      kind: 'prepared',
      request: {
        path: wire.value.path,
        body: body.text,
        headers: translated.headers,
        sameProtocol: translated.sameProtocol,
        createRestorer: prepared.createRestorer,
        namespaces: translated.namespaces,
        losses: [...before, ...behind],
        call,
      },
    };
  } catch (error) {
    if (!ModelError.is(error)) throw error;
    const { pointer } = error;
    const code = CODES.get(error.code) ?? 'translation_refused';
    const details = { detail: error.message, ...(pointer === undefined ? {} : { pointer }) };
    return { kind: 'refused', refusal: atClientPlace(refuse(code, details), { client, items }) };
  }
}

/** The limit of the answer under the name that is written for the provider. */
function limitsOf({ limits }: ModelCall, { provider }: Candidate): Pick<ModelCall, 'limits'> {
  const spelling = provider.maxTokensField;
  return limits === undefined || spelling === undefined ? {} : { limits: { ...limits, spelling } };
}

/** Wires that refuse a conversation without a message. None is made up, and no instruction becomes one. */
const NEEDS_MESSAGE: ReadonlySet<Protocol> = new Set<Protocol>(['anthropic', 'gemini']);

const CODES: ReadonlyMap<ModelErrorCode, RefusalCode> = new Map([
  ['model/history-invalid', 'history_invalid'],
  ['model/not-encodable', 'translation_refused'],
]);

/**
 * A loss that is unsafe is always refused, unless a note stands in the place of what is missing. A strict route refuses
 * every loss that changes the meaning.
 */
export function refuseLosses(losses: readonly Loss[], strict: boolean): Refusal | undefined {
  const unbearable = losses.find(({ code, path, severity }) => {
    if (severity === 'info') return false;
    if (strict) return true;
    return severity === 'error' && !(code === 'dropped' && path.startsWith('/items/'));
  });
  if (unbearable === undefined) return undefined;
  return refuse('translation_refused', { detail: `Lost: ${unbearable.detail}.`, pointer: unbearable.path });
}
