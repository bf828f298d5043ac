import type { ModelCall, ModelTool } from '@toolgate/model';
import { type Principal, permitsTool } from '../../ports/principal.ts';
import type { FirewallPolicy } from '../firewall/firewall-policy.ts';
import { type OfferedTools, offerTools, withLoaded } from './offered-tools.ts';

/** Whom tools are offered to, and by which rules. */
export interface OfferRules {
  readonly principal: Principal;
  readonly policy: FirewallPolicy;
  /** Whether a tool is let through; nothing but the principal and the policy decide about it. */
  readonly permits: (tool: string) => boolean;
}

/** Sorts the tools of calls, each list once for those who send it. */
export type ToolOffers = (call: ModelCall, rules: OfferRules) => OfferedTools;

interface Offer {
  readonly principal: Principal;
  readonly policy: FirewallPolicy;
  readonly offered: OfferedTools;
}

/** Offers of one list that are remembered; others are made again. */
const MOST_OFFERS = 4;

/** Whether a principal may be offered a tool on a route. A policy that only observes takes none out. */
export function offerRules(principal: Principal, policy: FirewallPolicy): OfferRules {
  const permits = (tool: string): boolean =>
    permitsTool(principal, tool) && (policy.mode === 'observe' || policy.permits(tool));
  return { principal, policy, permits };
}

/** Makes a memory of offers, which lasts as long as the lists themselves. */
export function createToolOffers(): ToolOffers {
  const known = new WeakMap<readonly ModelTool[], Offer[]>();
  return (call, { permits, policy, principal }) => {
    const { tools } = call;
    if (!tools) return withLoaded(offerTools(call, permits), call, permits);
    const offers = known.get(tools) ?? [];
    const found = offers.find((offer) => offer.principal === principal && offer.policy === policy);
    if (found !== undefined) return withLoaded(found.offered, call, permits);
    const offered = offerTools(call, permits);
    offers.push({ principal, policy, offered });
    if (offers.length > MOST_OFFERS) offers.shift();
    known.set(tools, offers);
    return withLoaded(offered, call, permits);
  };
}
