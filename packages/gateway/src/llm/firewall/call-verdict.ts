import { REASONS, type Reason } from '@toolgate/core';

/** A call that a model proposed, as the firewall holds it. */
export interface ProposedCall {
  readonly callId: string;
  /** The whole name, with the namespace that it stands in. */
  readonly name: string;
  readonly arguments: string;
  /** Whether the provider finished it. */
  readonly complete: boolean;
  /** A call without a schema: of a custom tool, in a form that only its own protocol knows. */
  readonly foreign: boolean;
  /** Its name is a kind of tool that the protocol defines, and none that somebody gave. */
  readonly hosted?: true;
  /** Nobody can be shown what it asks for. */
  readonly opaque?: true;
}

/** A call goes to the client. */
export interface ReleaseVerdict {
  readonly kind: 'release';
  /** Set when a reviewer changed the arguments. */
  readonly arguments?: string;
}

/** A call does not. */
export interface RefuseVerdict {
  readonly kind: 'refuse';
  readonly reason: Reason;
  /** What the model may be told. */
  readonly text: string;
}

/** What becomes of a call. */
export type CallVerdict = ReleaseVerdict | RefuseVerdict;

/** A verdict, or the wait for one. */
export type CallAnswer = CallVerdict | Promise<CallVerdict>;

/** Lets a call through as it is. */
export const RELEASE: ReleaseVerdict = Object.freeze({ kind: 'release' });

/** Refuses with the fixed text of the reason, or with a better one. */
export function refuseCall(reason: Reason, text?: string): RefuseVerdict {
  const entry = REASONS[reason];
  const fixed = 'text' in entry ? entry.text : 'The call was refused.';
  return Object.freeze({ kind: 'refuse', reason, text: text ?? fixed });
}
