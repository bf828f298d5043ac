import { quoteShort } from '../json/quote-short.ts';
import { readResultBudget } from '../policy/result-budget-of.ts';
import { createScope, isScope, type Scope } from '../policy/scope.ts';
import type { ResultBudget } from '../tool/profile.ts';
import { type Clock, systemClock } from './clock.ts';
import { DEFAULT_RESULT_BUDGET, type GateConfig, type GateLimits } from './gate-config.ts';
import { GateError } from './gate-error.ts';
import type { GateObserver } from './gate-event.ts';
import type { Redactor } from './redactor.ts';
import type { Repair } from './repair.ts';
import type { ResultStore } from './result-store.ts';

/** A configuration after the door: validated, with defaults, no limit as `Infinity`. */
export interface GateSettings<Context> extends Pick<GateConfig<Context>, 'tools'> {
  readonly observe: GateObserver | undefined;
  readonly redact: Redactor | undefined;
  readonly repair: Repair<Context> | undefined;
  readonly resultStore: ResultStore | undefined;
  readonly scope: Scope<Context>;
  readonly concurrency: number;
  readonly byClass: boolean;
  readonly graceMs: number;
  readonly maxCallsPerTurn: number;
  readonly resultBudget: ResultBudget;
  readonly maxMediaBytes: number;
  readonly policyTimeoutMs: number;
  readonly full: boolean;
  readonly clock: Clock;
  readonly ids: () => string;
}

const FIELDS: readonly string[] = [
  ...[
    'tools',
    'scope',
    'concurrency',
    'scheduling',
    'graceMs',
    'limits',
    'observe',
    'content',
    'redact',
    'repair',
  ],
  ...['resultStore', 'clock', 'ids'],
];
const LIMITS: readonly string[] = ['maxCallsPerTurn', 'resultBudget', 'maxMediaBytes', 'policyTimeoutMs'];

/**
 * Reads each field once.
 *
 * @throws {@link GateError} `gate/options-invalid`, with the fix; `policy/budget-invalid` for the result budget.
 */
export function readGateConfig<Context>(config: GateConfig<Context>): GateSettings<Context> {
  const given = copyKnown('A gate', config, FIELDS);
  const limits: GateLimits = copyKnown('limits', given.limits ?? {}, LIMITS);
  const { tools, scope, observe, redact, repair, resultStore, clock, ids } = given;
  need(Array.isArray(tools), 'tools is an array of tools and bindings.');
  need(scope === undefined || isScope(scope), 'scope is made by createScope.');
  for (const hook of [observe, redact, repair, ids]) {
    need(hook === undefined || typeof hook === 'function', 'observe, redact, repair and ids are functions.');
  }
  need(resultStore === undefined || typeof resultStore.put === 'function', 'resultStore has a put function.');
  need(clock === undefined || isClock(clock), 'clock has now, setTimer and clearTimer.');
  return {
    tools: [...tools],
    observe,
    redact,
    repair,
    resultStore,
    scope: scope ?? createScope(),
    concurrency: readCount('concurrency', given.concurrency, 8),
    byClass: readWord('scheduling', given.scheduling, ['by-class', 'parallel']) === 'by-class',
    graceMs: readTime('graceMs', given.graceMs, 5_000, 0),
    maxCallsPerTurn: readLimit('maxCallsPerTurn', limits.maxCallsPerTurn, 128),
    resultBudget:
      limits.resultBudget === undefined ? DEFAULT_RESULT_BUDGET : readResultBudget(limits.resultBudget),
    maxMediaBytes: readLimit('maxMediaBytes', limits.maxMediaBytes, 8_388_608),
    policyTimeoutMs:
      limits.policyTimeoutMs === 'none'
        ? Number.POSITIVE_INFINITY
        : readTime('policyTimeoutMs', limits.policyTimeoutMs, 60_000, Number.MIN_VALUE),
    full: readWord('content', given.content, ['none', 'full']) === 'full',
    clock: clock ?? systemClock,
    ids: ids ?? (() => crypto.randomUUID()),
  };
}

function copyKnown<Value extends object>(what: string, value: Value, known: readonly string[]): Value {
  need(typeof value === 'object' && value !== null, `${what} is configured by an object.`);
  const copy = { ...value };
  for (const name of Object.keys(copy)) {
    const shown = quoteShort(name, 40);
    need(known.includes(name), `${what} has an unknown field ${shown}; it takes ${known.join(', ')}.`);
  }
  return copy;
}

function readWord<Word extends string>(
  name: string,
  value: Word | undefined,
  words: readonly [Word, Word],
): Word {
  const word = value ?? words[0];
  need(words.includes(word), `${name} is ${words.join(' or ')}.`);
  return word;
}

function readCount(name: string, value: number | undefined, fallback: number): number {
  const count = value ?? fallback;
  need(Number.isSafeInteger(count) && count > 0, `${name} is a positive whole number.`);
  return count;
}

function readLimit(name: string, value: number | 'none' | undefined, fallback: number): number {
  if (value === 'none') return Number.POSITIVE_INFINITY;
  const limit = value ?? fallback;
  need(Number.isSafeInteger(limit) && limit >= 0, `${name} is a whole number from 0 on, or 'none'.`);
  return limit;
}

function readTime(name: string, value: number | undefined, fallback: number, min: number): number {
  const ms = value ?? fallback;
  need(typeof ms === 'number' && Number.isFinite(ms) && ms >= min, `${name} is a number of milliseconds.`);
  return ms;
}

function isClock(clock: Clock): boolean {
  return [clock.now, clock.setTimer, clock.clearTimer].every((method) => typeof method === 'function');
}

function need(condition: boolean, message: string): asserts condition {
  if (!condition) throw new GateError('gate/options-invalid', message);
}
