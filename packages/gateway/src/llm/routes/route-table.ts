import type { CheckedControlProvider } from '@toolgate/control';
import type { Clock } from '@toolgate/core';
import {
  type CallPreparer,
  type Codec,
  codecOf,
  createCallPreparer,
  ENDPOINTS,
  NAME_RULES,
} from '@toolgate/model';
import type { GatewayConfig, RouteConfig } from '../../config/gateway-config.ts';
import { GatewayError } from '../../ports/gateway-error.ts';
import { type Principal, permits } from '../../ports/principal.ts';
import type { Provider } from '../../upstream/provider.ts';
import { controlOf } from '../control/control-of.ts';
import { createFirewallPolicy, type FirewallPolicy } from '../firewall/firewall-policy.ts';
import { compileNamePattern, type NameTest } from './name-pattern.ts';

/** One place where a route's requests may go. */
export interface Candidate {
  /** `provider/model`, or the provider alone when the client names the model. */
  readonly name: string;
  readonly provider: Provider;
  /** The model's name there; `undefined`: as the client calls it. */
  readonly model: string | undefined;
  readonly codec: Codec;
  /** Gives calls of another protocol a form that this one takes. */
  readonly prepare: CallPreparer;
  /** Until when it asked to be left alone; milliseconds since the epoch. */
  coolUntil: number;
}

/** One route, ready to serve. */
export interface Route {
  readonly config: RouteConfig;
  readonly candidates: readonly Candidate[];
  readonly policy: FirewallPolicy;
  readonly control: CheckedControlProvider | undefined;
}

/** All routes of a configuration. */
export interface RouteTable {
  /** The first route that matches a model's name and that the principal may use. */
  find(model: string, principal: Principal): Route | undefined;
  /** The route of a name. */
  named(name: string): Route | undefined;
  /** Names of models that a client can ask for as they are. */
  models(principal: Principal): readonly string[];
}

/** Builds the routes; every provider they name has to be there. */
export function createRouteTable(
  config: Pick<GatewayConfig, 'routes' | 'approvals'>,
  providers: ReadonlyMap<string, Provider>,
): RouteTable {
  const entries = config.routes.map((route): { readonly test: NameTest; readonly route: Route } => ({
    test: compileNamePattern(route.model),
    route: {
      config: route,
      candidates: route.candidates.map(({ provider, model }) => toCandidate(providers.get(provider), model)),
      control: controlOf(route.control),
      policy: createFirewallPolicy(route.firewall, {
        lifetimeMs: config.approvals.lifetimeMs,
        passthrough: route.passthrough,
      }),
    },
  }));

  return Object.freeze({
    find(model: string, principal: Principal) {
      return entries.find(({ test, route }) => test(model) && permits(principal.routes, route.config.name))
        ?.route;
    },
    named: (name: string) => entries.find(({ route }) => route.config.name === name)?.route,
    models(principal: Principal) {
      const names = entries
        .filter(
          ({ route }) => !route.config.model.includes('*') && permits(principal.routes, route.config.name),
        )
        .map(({ route }) => route.config.model);
      return [...new Set(names)];
    },
  });
}

function toCandidate(provider: Provider | undefined, model: string | undefined): Candidate {
  if (provider === undefined)
    throw new GatewayError('gateway/config-invalid', 'A route names no known provider.');
  const { baseUrl, isOwner, name, protocol } = provider;
  const endpoint = ENDPOINTS[protocol];
  return {
    name: model === undefined ? name : `${name}/${model}`,
    provider,
    model,
    codec: codecOf(protocol),
    prepare: createCallPreparer({
      history: { protocol },
      schemas: isOwner ? endpoint.ownSchemas : endpoint.schemas,
      names: NAME_RULES[protocol],
      baseUrl,
    }),
    coolUntil: 0,
  };
}

/** The candidates in order, those that want to be left alone last. */
export function orderCandidates(candidates: readonly Candidate[], clock: Clock): readonly Candidate[] {
  if (candidates.length < 2) return candidates;
  const now = clock.now();
  const isCooling = ({ coolUntil }: Candidate): boolean => coolUntil > now;
  if (!candidates.some(isCooling)) return candidates;
  return [...candidates.filter((one) => !isCooling(one)), ...candidates.filter(isCooling)];
}
