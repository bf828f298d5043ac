import type { ForeignItem } from '../call/item.ts';
import type { Protocol } from '../call/protocol.ts';
import type { IdRule } from '../naming/id-map.ts';
import { ID_RULES } from '../naming/id-map.ts';

/** What the target of a history demands, and what to do with what it would refuse. */
export interface HistoryProfile {
  /** Where the history goes. */
  readonly protocol: Protocol;
  /** What the target accepts as call ids. Default: the rule of the protocol. */
  readonly ids?: IdRule;
  /** A call without a result: `fill` gives it a marked one, `refuse` throws. Default `fill`. */
  readonly missing?: 'fill' | 'refuse';
  /** A result without a call: `refuse` throws, `drop` leaves it out with a loss. Default `refuse`. */
  readonly orphans?: 'refuse' | 'drop';
  /**
   * Argument text that is no strict JSON object: `object` sends `{}` (the result says what was wrong), `text` sends it as
   * it is. Default `object`: servers of every protocol were seen to refuse such a history for ever.
   */
  readonly brokenArguments?: 'object' | 'text';
  /**
   * Thoughts and signatures: `own` keeps those of the protocol, `none` leaves all out, for a route with another account
   * or model than the one they come from. Default `own`.
   */
  readonly reasoning?: 'own' | 'none';
  /** Whose foreign items the target understands. Default: those of the protocol. */
  readonly foreign?: ForeignItem['protocol'];
  /** Whether white space counts as empty text. Default: only for Anthropic, which refuses it. */
  readonly blankIsEmpty?: boolean;
}

/** A profile with every field decided. */
export type HistoryRules = Required<HistoryProfile>;

/** Decides the fields that a profile leaves open. */
export function toHistoryRules(profile: HistoryProfile | Protocol): HistoryRules {
  const given = typeof profile === 'string' ? { protocol: profile } : profile;
  return {
    missing: 'fill',
    orphans: 'refuse',
    brokenArguments: 'object',
    reasoning: 'own',
    foreign: given.protocol,
    ids: ID_RULES[given.protocol],
    blankIsEmpty: given.protocol === 'anthropic',
    ...given,
  };
}
