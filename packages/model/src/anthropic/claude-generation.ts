import type { AnthropicEffort } from './anthropic-wire.ts';

/** A generation that a name of Claude tells, as hundreds and units: 407 of `claude-opus-4-7`. A date is none. */
const GENERATION = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/;

/** The first models that decide alone how they draw and how much they think: both are refused in a request. */
const SELF_STEERED = 407;

/** From here on there is no answer without thinking, but for the smallest of the first. */
const ALWAYS_THINKING = 505;
const MAY_REST = /claude-haiku-5[-.]5\b|5[-.]5-haiku\b/;

/** Families that steer themselves and always think, whatever their generation. */
const THINKERS = /claude-(?:fable|mythos)-(?:\d|preview)/;

/**
 * Whether a model refuses `temperature`, `top_p`, `top_k` and a budget for thinking. Names that tell no generation, such
 * as those of a route, refuse nothing.
 */
export function isSelfSteered(model: string): boolean {
  return generationOf(model) >= SELF_STEERED || THINKERS.test(model);
}

/** Whether a model refuses to answer without thinking. */
export function alwaysThinks(model: string): boolean {
  return THINKERS.test(model) || (generationOf(model) >= ALWAYS_THINKING && !MAY_REST.test(model));
}

/** The first models that answer a last word of their own with a failure instead of going on in it. */
const UNFILLED = 406;

/** Whether a model refuses a conversation that ends with what it said itself. */
export function refusesPrefill(model: string): boolean {
  return generationOf(model) >= UNFILLED || THINKERS.test(model);
}

const MIDDLE = ['low', 'medium', 'high'] as const;

/** The efforts that a model takes, from the least to the most; none for older ones. All where nothing is known. */
export function effortsOf(model: string): readonly AnthropicEffort[] {
  const generation = generationOf(model);
  if (generation === 0 || generation >= SELF_STEERED) return [...MIDDLE, 'xhigh', 'max'];
  if (generation === 406) return [...MIDDLE, 'max'];
  return /opus-4[-.]5\b|4[-.]5-opus\b/.test(model) ? MIDDLE : [];
}

function generationOf(model: string): number {
  const [, major = '0', minor = '0'] = GENERATION.exec(model) ?? [];
  return Number(major) * 100 + Number(minor);
}
