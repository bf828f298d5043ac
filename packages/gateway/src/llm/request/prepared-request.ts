import type { AnswerRestorer, Loss, ModelCall, NamespacedName } from '@toolgate/model';
import type { Refusal } from '../../http/refusal.ts';

/** A request in the form that one candidate gets. */
export interface PreparedRequest {
  readonly path: string;
  readonly body: Uint8Array | string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the provider speaks the client's protocol, so that its bytes may be passed on. */
  readonly sameProtocol: boolean;
  /** Undoes names and argument forms in the answer. */
  readonly createRestorer: (() => AnswerRestorer) | undefined;
  /** Functions that the client has in namespaces, by the whole names that the answer has for them; mostly there is none. */
  readonly namespaces: ReadonlyMap<string, NamespacedName> | undefined;
  /** What was lost on the way there. */
  readonly losses: readonly Loss[];
  /** What is asked, in the client's own names. */
  readonly call: ModelCall;
}

/** A request for a candidate, or why it cannot have one. */
export type Preparation =
  | { readonly kind: 'prepared'; readonly request: PreparedRequest }
  | { readonly kind: 'refused'; readonly refusal: Refusal };
