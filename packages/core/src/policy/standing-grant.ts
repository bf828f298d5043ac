import { canonicalJson } from '../json/canonical-json.ts';
import { cloneJson } from '../json/clone-json.ts';
import type { JsonValue } from '../json/json-value.ts';
import { analysePattern } from '../schema/pattern/analyse-pattern.ts';
import type { ExecutionClass } from '../tool/profile.ts';
import { isToolName } from '../tool/tool-name.ts';
import type { ApprovalRequest } from './approval.ts';
import { EXECUTION_RANKS, isExecutionClass, rankOf } from './execution-rank.ts';
import { PolicyError } from './policy-error.ts';

/** What one argument has to be. `matches` is a regular expression for the whole text, never for a part of it. */
export type ArgumentRule = { readonly equals: JsonValue } | { readonly matches: string };

/**
 * A yes that somebody gave in advance, to calls of one tool. It holds until it expires, for the principal, the contract
 * and the arguments that it names, and for nothing else.
 */
export interface StandingGrant {
  /** The exact name of the tool. */
  readonly tool: string;
  /** Rules for members of the arguments, by name. A member with a rule has to be there. */
  readonly arguments?: Readonly<Record<string, ArgumentRule>>;
  /** Members without a rule, those that defaults filled in too. Default `refuse`; `any` has to be written. */
  readonly otherArguments?: 'refuse' | 'any';
  /** The principal of the session. Absent: only sessions that have none. `'*'`: whoever it is. */
  readonly principal?: string;
  /** The contract that was looked at. Absent: also a later one with the same name. */
  readonly contractDigest?: string;
  /** Calls of a higher class are not covered. Default: whatever class the tool has. */
  readonly maxClass?: ExecutionClass;
  /** Milliseconds since the epoch; `'none'` has to be written. */
  readonly expiresAt: number | 'none';
}

/** Says whether a grant covers one exact call at a time. */
export type GrantTest = (request: ApprovalRequest, now: number) => boolean;

const FIELDS: readonly string[] = [
  'tool',
  'arguments',
  'otherArguments',
  'principal',
  'contractDigest',
  'maxClass',
  'expiresAt',
];

/**
 * Reads a grant once.
 *
 * @throws {@link PolicyError} `policy/standing-grant-invalid`
 */
export function compileGrant(grant: StandingGrant): GrantTest {
  if (typeof grant !== 'object' || grant === null) refuse('it is an object.');
  const { tool, otherArguments = 'refuse', principal, contractDigest, maxClass, expiresAt, ...rest } = grant;
  const unknown = Object.keys(rest).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) refuse(`it takes ${FIELDS.join(', ')}.`);
  if (!isToolName(tool)) refuse('tool is one exact tool name; there are no patterns.');
  if (otherArguments !== 'refuse' && otherArguments !== 'any') refuse("otherArguments is 'refuse' or 'any'.");
  if (principal !== undefined && (typeof principal !== 'string' || principal === ''))
    refuse('principal is a text.');
  if (contractDigest !== undefined && typeof contractDigest !== 'string')
    refuse('contractDigest is a digest.');
  if (maxClass !== undefined && !isExecutionClass(maxClass)) refuse('maxClass is an execution class.');
  if (expiresAt !== 'none' && !(Number.isSafeInteger(expiresAt) && expiresAt > 0)) {
    refuse("expiresAt is a time in milliseconds since the epoch, or 'none'.");
  }
  const rules = compileRules(rest.arguments);
  return (request, now) =>
    request.tool === tool &&
    (expiresAt === 'none' || now < expiresAt) &&
    (principal === '*' || request.principal === principal) &&
    (contractDigest === undefined || request.contractDigest === contractDigest) &&
    (maxClass === undefined || rankOf(request.class) <= EXECUTION_RANKS[maxClass]) &&
    (otherArguments === 'any' || Object.keys(request.arguments).every((name) => rules.has(name))) &&
    [...rules].every(
      ([name, holds]) => Object.hasOwn(request.arguments, name) && holds(request.arguments[name]),
    );
}

type RuleTest = (value: JsonValue | undefined) => boolean;

function compileRules(rules: StandingGrant['arguments'] = {}): ReadonlyMap<string, RuleTest> {
  if (typeof rules !== 'object' || rules === null) refuse('arguments is an object of rules.');
  return new Map(Object.entries(rules).map(([name, rule]) => [name, compileRule(rule)]));
}

function compileRule(rule: ArgumentRule): RuleTest {
  if (typeof rule !== 'object' || rule === null || Object.keys(rule).length !== 1) {
    refuse('a rule is { equals } or { matches }.');
  }
  if ('equals' in rule) {
    const expected = canonicalJson(cloneJson(rule.equals));
    return (value) => value !== undefined && canonicalJson(value) === expected;
  }
  if (typeof rule.matches !== 'string') refuse('a rule is { equals } or { matches }.');
  // Anchored by us: a rule for "git status" must not hold for "git status && rm".
  const source = `^(?:${rule.matches})$`;
  const alone = analysePattern(rule.matches);
  // By itself first: "a)|(?:b" is only an expression between our brackets.
  const verdict = alone.kind === 'invalid' ? alone : analysePattern(source);
  if (verdict.kind !== 'linear') refuse(`a pattern cannot be used: ${verdict.why}.`);
  const pattern = new RegExp(source, 'u');
  return (value) => typeof value === 'string' && pattern.test(value);
}

function refuse(message: string): never {
  throw new PolicyError('policy/standing-grant-invalid', `A standing grant cannot be used: ${message}`);
}
