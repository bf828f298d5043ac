import type { ModelCall } from '../call/model-call.ts';
import type { Protocol } from '../call/protocol.ts';
import type { Coded } from '../codec/codec.ts';
import type { Loss } from '../codec/loss.ts';
import { ID_RULES, type IdRule } from '../naming/id-map.ts';

/** What a known service takes otherwise than the owner of the wire it speaks. */
export interface ServiceRules {
  readonly ids?: IdRule;
  /** Whether it refuses members that it does not know, the end user and the seed among them. */
  readonly closed?: true;
}

/**
 * Services of OpenAI Chat that know the limit of an answer as `max_tokens` alone, by the end of their host: Mistral refuses
 * the newer name, others answer without a limit. Everybody else gets the newer one, which the owner's models demand.
 */
const SERVICES: ReadonlyMap<string, ServiceRules> = new Map<string, ServiceRules>([
  ['mistral.ai', { ids: ID_RULES.mistral, closed: true }],
  ['deepseek.com', {}],
  ['chutes.ai', {}],
  ['together.ai', {}],
  ['together.xyz', {}],
  ['moonshot.ai', {}],
  ['moonshot.cn', {}],
  ['z.ai', {}],
  ['bigmodel.cn', {}],
  ['integrate.api.nvidia.com', {}],
  ['ollama.com', {}],
]);

/** Where Ollama listens unless it is told otherwise. */
const OLLAMA_PORT = '11434';

/** The rules of the service at an address; `undefined` where the protocol's own hold. */
export function serviceRules(protocol: Protocol, { hostname, port }: URL): ServiceRules | undefined {
  if (protocol !== 'openai-chat') return undefined;
  if (port === OLLAMA_PORT) return {};
  for (const [host, rules] of SERVICES) {
    if (hostname === host || hostname.endsWith(`.${host}`)) return rules;
  }
  return undefined;
}

/** The call without what the service refuses, and with the limit under the name that it knows. */
export function fitService(call: ModelCall, { closed }: ServiceRules): Coded<ModelCall> {
  const { endUser, sampling, limits } = call;
  const losses: Loss[] = [];
  const fitted: ModelCall = {
    ...call,
    ...(limits === undefined ? {} : { limits: { ...limits, spelling: 'max_tokens' } }),
  };
  if (closed !== true) return { value: fitted, losses };
  if (endUser !== undefined) losses.push(dropped('/endUser', 'info'));
  if (sampling?.seed !== undefined) losses.push(dropped('/sampling/seed', 'warning'));
  const { endUser: _, ...rest } = fitted;
  if (sampling === undefined) return { value: rest, losses };
  const { seed: __, ...drawn } = sampling;
  return { value: { ...rest, sampling: drawn }, losses };
}

function dropped(path: string, severity: Loss['severity']): Loss {
  return { code: 'dropped', path, severity, detail: 'the service refuses it' };
}
