import type { Authorizer } from '@toolgate/core';
import type { FunctionTool } from '@toolgate/model';
import type { Principal } from '../../ports/principal.ts';
import type { ApprovalDesk, ApprovalNeed } from './ask-approval.ts';
import type { CallAccount } from './call-account.ts';
import type { Caller } from './caller.ts';
import type { ContractCache } from './contract-cache.ts';
import type { FirewallPolicy } from './firewall-policy.ts';

/** What one request brings to the judgement of its calls. */
export interface JudgeOptions {
  readonly caller: Caller;
  readonly policy: FirewallPolicy;
  readonly contracts: ContractCache;
  /** The client's own function tools that were offered to the model, by name. */
  readonly tools: ReadonlyMap<string, FunctionTool>;
  /** The only tools that the client's choice lets the model call; `undefined` where it leaves them all. */
  readonly choosable?: ReadonlySet<string> | undefined;
  /** Names of the custom tools that were offered. */
  readonly customTools: ReadonlySet<string>;
  /** Kinds of the tools that were offered and that the protocol defines. */
  readonly hostedTools: ReadonlySet<string>;
  /** Asked after the schema, before an approval. */
  readonly authorize: Authorizer<Caller> | undefined;
  readonly desk: ApprovalDesk;
  readonly account: CallAccount;
  /** Who presents the key of the request now; asked before a call that waited for a person goes out. */
  readonly present: () => Promise<Principal | undefined>;
  /** The rules of a route by the configuration that serves now; asked then, too. */
  readonly rules: ApprovalNeed['rules'];
  /** Learns why nobody could be asked. */
  readonly onDefect: (error: unknown) => void;
  /** Aborted when the client is gone; made when it is needed. */
  readonly signal: () => AbortSignal;
}
