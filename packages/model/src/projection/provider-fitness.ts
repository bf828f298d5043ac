import type { ToolDefinition } from '@toolgate/core';
import { createNameMap, NAME_RULES } from '../naming/name-map.ts';
import { projectSchema, type SchemaProjection } from './project-schema.ts';
import type { SchemaTarget } from './schema-profiles.ts';

/** The providers that a tool can be judged for. */
export type ToolProvider = 'openai' | 'anthropic' | 'gemini';

/** How a tool definition fits one provider. */
export interface ProviderFitness {
  readonly provider: ToolProvider;
  readonly name: {
    /** What the provider is told. */
    readonly wire: string;
    /** Whether that is an alias. */
    readonly changed: boolean;
  };
  readonly schema: SchemaProjection;
  /**
   * `exact`: sent as it is, or with changes that keep its meaning. `adapted`: works, but the model is told less than the
   * contract enforces, or (OpenAI) without strict mode. `unfit`: the tool cannot be offered there.
   */
  readonly verdict: 'exact' | 'adapted' | 'unfit';
  /** Why it is not exact, one line each, with the place in the schema; empty when it is. */
  readonly reasons: readonly string[];
}

const RULES: Readonly<
  Record<ToolProvider, { readonly target: SchemaTarget; readonly protocol: keyof typeof NAME_RULES }>
> = {
  openai: { target: 'openai-strict', protocol: 'openai-responses' },
  anthropic: { target: 'anthropic', protocol: 'anthropic' },
  gemini: { target: 'gemini', protocol: 'gemini' },
};

/** Judges the name and the argument schema of a tool by the rules of one provider. */
export function providerFitness(definition: ToolDefinition, provider: ToolProvider): ProviderFitness {
  const { target, protocol } = RULES[provider];
  const wire = createNameMap([definition.name], NAME_RULES[protocol]).toWire(definition.name);
  const changed = wire !== definition.name;
  const schema = projectSchema(definition.inputSchema, target);
  const reasons = [
    ...(changed ? [`name: ${provider} does not accept it; an alias stands for it`] : []),
    ...schema.losses
      .filter(({ severity }) => severity !== 'info')
      .map(({ path, detail }) => `${path === '' ? '/' : path}: ${detail}`),
  ];
  return Object.freeze({
    provider,
    name: Object.freeze({ wire, changed }),
    schema,
    verdict: schema.fit === 'unfit' ? 'unfit' : reasons.length > 0 ? 'adapted' : 'exact',
    reasons: Object.freeze(reasons),
  });
}
