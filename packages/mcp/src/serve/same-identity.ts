import type { Identity } from './identity.ts';

/** Objects within objects that are compared, and members altogether; what is larger counts as another one. */
const MAX_DEPTH = 8;
const MAX_MEMBERS = 1_000;

/**
 * Whether two requests of one principal come with the same context and narrowing. Plain data are compared by what they
 * hold, everything else by what it is: nobody sees what an object of a class keeps to itself, such as a token.
 */
export function isSameIdentity<Context>(one: Identity<Context>, other: Identity<Context>): boolean {
  const budget = { left: MAX_MEMBERS };
  return (
    one === other ||
    (one.principal === other.principal &&
      isSame(one.context, other.context, MAX_DEPTH, budget) &&
      isSame(one.narrow, other.narrow, MAX_DEPTH, budget))
  );
}

function isSame(one: unknown, other: unknown, depth: number, budget: { left: number }): boolean {
  if (Object.is(one, other)) return true;
  if (depth === 0 || !isPlain(one) || !isPlain(other)) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Reflect.ownKeys(one);
  budget.left -= names.length;
  if (budget.left < 0 || names.length !== Reflect.ownKeys(other).length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(other, name) &&
      isSame(Reflect.get(one, name), Reflect.get(other, name), depth - 1, budget),
  );
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || prototype === Array.prototype;
}
