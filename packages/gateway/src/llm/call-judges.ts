import { setMaxListeners } from 'node:events';
import type { CallRecord } from './call-record.ts';
import { type CallAccount, createCallAccount } from './firewall/call-account.ts';
import { type CallJudge, createCallJudge } from './firewall/judge-call.ts';
import type { JudgeOptions } from './firewall/judge-options.ts';
import { createUnreadAccount, type NoteUnread } from './firewall/unread-account.ts';
import type { OfferedTools } from './request/offered-tools.ts';
import type { LlmServices, LlmSettings } from './services.ts';

/** What judges the calls of one request; nothing of it is made before there is a call. */
export interface CallJudges {
  /** The judge of one turn. */
  createJudge(): CallJudge;
  /** The account of what cannot be judged in one turn. */
  createUnread(): NoteUnread;
  /** The client is gone: nobody waits for an approval any more. */
  leave(): void;
}

/** What the judgement of the calls of one request goes by. */
export interface CallJudgesOptions
  extends Pick<JudgeOptions, 'caller' | 'choosable' | 'policy' | 'present' | 'rules'> {
  readonly offered: Pick<OfferedTools, 'custom' | 'functions' | 'hosted'>;
  readonly record: CallRecord;
  readonly services: LlmServices;
  readonly settings: Pick<LlmSettings, 'auditAllowed' | 'contents'>;
}

/** Prepares the judgement of one request. */
export function createCallJudges(options: CallJudgesOptions): CallJudges {
  return new Judges(options);
}

class Judges implements CallJudges {
  readonly #options: CallJudgesOptions;
  #account: CallAccount | undefined = undefined;
  #gone: AbortController | undefined = undefined;

  constructor(options: CallJudgesOptions) {
    this.#options = options;
  }

  createJudge(): CallJudge {
    const { caller, choosable, offered, policy, present, rules, services } = this.#options;
    const { authorize, clock, contracts, newId, onDefect, stores } = services;
    return createCallJudge({
      caller,
      policy,
      contracts,
      tools: offered.functions,
      choosable,
      customTools: offered.custom,
      hostedTools: offered.hosted,
      authorize,
      desk: { approvals: stores.approvals, newId, now: clock.now },
      account: this.#accountOf(),
      present,
      rules,
      onDefect,
      signal: () => {
        this.#gone ??= createGone();
        return this.#gone.signal;
      },
    });
  }

  createUnread(): NoteUnread {
    return createUnreadAccount(this.#accountOf());
  }

  leave(): void {
    this.#gone?.abort();
  }

  #accountOf(): CallAccount {
    const { caller, record, services, settings } = this.#options;
    this.#account ??= createCallAccount({
      caller,
      calls: services.stores.calls,
      audit: services.audit,
      auditAllowed: settings.auditAllowed,
      contents: settings.contents,
      newId: services.newId,
      now: services.clock.now,
      onCount: (count) => {
        record.calls = count;
      },
    });
    return this.#account;
  }
}

/** Each call of the request that waits listens to it, and Node.js would take the eleventh for a leak, and say so. */
function createGone(): AbortController {
  const gone = new AbortController();
  setMaxListeners(0, gone.signal);
  return gone;
}
