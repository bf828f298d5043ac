import type { BuildContext } from './build-context.ts';
import type { ClassRule } from './class-rule.ts';
import type { ClassRuleInput, FirewallInput, GatewayConfigInput, RouteInput } from './config-input.ts';
import type { FirewallConfig } from './firewall-config.ts';
import type { CandidateConfig, RouteConfig } from './gateway-config.ts';

/** The routes, in order; each has its own name, and candidates that exist. */
export function buildRoutes(
  context: BuildContext,
  { providers = {}, routes = [] }: GatewayConfigInput,
): readonly RouteConfig[] {
  const names = new Set<string>();
  return Object.freeze(
    routes.map((route, index) => {
      const pointer = `/routes/${index}`;
      const built = buildRoute(context, pointer, route, providers);
      if (names.has(built.name)) context.note(pointer, 'another route has this name');
      names.add(built.name);
      return built;
    }),
  );
}

function buildRoute(
  context: BuildContext,
  pointer: string,
  route: RouteInput,
  providers: NonNullable<GatewayConfigInput['providers']>,
): RouteConfig {
  const { model, control = 'none', strict = false, passthrough = false } = route;
  const firewall = route.firewall === undefined ? undefined : buildFirewall(route.firewall);
  if (passthrough && firewall?.mode === 'enforce')
    context.note(
      `${pointer}/passthrough`,
      'a firewall cannot police what is forwarded without being understood',
    );
  const candidates = route.candidates.map(({ provider, model: target }, index): CandidateConfig => {
    if (!Object.hasOwn(providers, provider))
      context.note(`${pointer}/candidates/${index}/provider`, 'there is no provider of this name');
    return Object.freeze({ provider, model: target });
  });
  return Object.freeze({
    name: route.name ?? model,
    model,
    candidates: Object.freeze(candidates),
    control: control === 'none' ? undefined : Object.freeze({ tool: control.tool }),
    firewall,
    strict,
    passthrough,
  });
}

function buildFirewall(input: FirewallInput): FirewallConfig {
  const { scope = {}, approve = 'none' } = input;
  return Object.freeze({
    mode: input.mode ?? 'enforce',
    scope: Object.freeze({
      allow: Object.freeze([...(scope.allow ?? [])]),
      deny: Object.freeze([...(scope.deny ?? [])]),
    }),
    classes: buildClasses(input.classes),
    approve:
      approve === 'none'
        ? undefined
        : Object.freeze({
            // Whoever names tools means these; who names nothing means every call.
            threshold: approve.threshold ?? (approve.tools === undefined ? 'unclassified' : undefined),
            tools: Object.freeze([...(approve.tools ?? [])]),
            lifetimeMs: approve.lifetimeMs,
          }),
    onRefusal: input.onRefusal ?? 'replace',
    maxRounds: input.maxRounds ?? 2,
  });
}

/** Rules that give tools their class. */
export function buildClasses(rules: readonly ClassRuleInput[] = []): readonly ClassRule[] {
  return Object.freeze(rules.map(({ tool, class: word }) => Object.freeze({ tool, class: word })));
}
