import {
  type ApprovalRequest,
  type Clock,
  freezeJson,
  type Gate,
  type JsonValue,
  systemClock,
} from '@toolgate/core';
import type { Model, ModelCall } from '@toolgate/model';
import { AgentError } from './agent-error.ts';
import { checkChoice } from './check-choice.ts';
import { namesOfChoice } from './loop/choice-names.ts';
import { refuseUnknown } from './refuse-unknown.ts';
import { rememberDecisions } from './remember-decisions.ts';
import { createStateSeal, type StateCipher, type StateSeal } from './state/run-state.ts';

/** Bounds of one run. Each has a default, and `'none'` has to be written. */
export interface AgentLimits {
  /** Model turns. Default 16. */
  readonly maxTurns?: number | 'none';
  /**
   * Input and output tokens of all turns together, as far as the provider counts them: where it is written and the first
   * answer comes without a count, a warning `tokens-uncounted` says so. Default 2,000,000.
   */
  readonly maxTokens?: number | 'none';
  /**
   * Milliseconds of work. Waiting for decisions does not count, neither between two resumes nor for an approver that
   * takes its time. What runs when they are over is cancelled. Default 1,800,000.
   */
  readonly maxDurationMs?: number | 'none';
  /** Bytes of one answer of the model. Default 16 MiB. */
  readonly maxAnswerBytes?: number | 'none';
  /** Calls of one turn that may run; the others are refused by name. Default 128. */
  readonly maxCallsPerTurn?: number | 'none';
  /**
   * How often one tool may be called in a run, by name. Calls that did not reach it, such as invalid or declined ones, do not
   * count. Default: as often as the other limits allow.
   */
  readonly maxCallsPerTool?: Readonly<Record<string, number>>;
  /**
   * How often the same call with the same arguments may have the same outcome while nothing new happens, from 2. The
   * model is told one time before. Default 3.
   */
  readonly maxRepeats?: number | 'none';
  /**
   * Tools that `maxRepeats` does not count, by name: a model that waits for a job asks again and again how it stands, and
   * hears the same. Default: none.
   */
  readonly mayRepeat?: readonly string[];
  /** Turns in a row that brought nothing but refused, invalid or unknown calls. Default 3. */
  readonly maxFruitlessTurns?: number | 'none';
}

/** What an agent is made of. Read once and copied. */
export interface AgentConfig<Context = unknown> {
  readonly model: Model;
  /** The system text. */
  readonly instructions?: string;
  readonly gate: Gate<Context>;
  readonly limits?: AgentLimits;
  /** One further turn without tools when the turn limit is reached, so that the model can sum up. Default `false`. */
  readonly closingTurn?: boolean;
  /** Tools whose completion ends the run: calls of the same turn finish, the model is not asked again. */
  readonly stopAfterTools?: readonly string[] | 'any';
  /** Settings that go with every model call: sampling, reasoning, response format, … */
  readonly call?: Omit<
    ModelCall,
    'model' | 'instructions' | 'items' | 'tools' | 'stream' | 'previousResponseId'
  >;
  /**
   * At least 32 bytes; signs suspended runs. Default: a random key, so that only this agent can resume them.
   */
  readonly stateKey?: string | Uint8Array;
  readonly cipher?: StateCipher;
  /**
   * Takes a decision for good, across processes: `true` the first time an id is given, `false` afterwards, and nothing
   * else. What its request says tells how long it has to be remembered. Default: remembered in memory, until an hour after the decision's time is over.
   */
  readonly claimDecision?: (approvalId: string, request: ApprovalRequest) => boolean | Promise<boolean>;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** Makes run ids. Default: random UUIDs. */
  readonly ids?: () => string;
}

/** A configuration that was checked, with every default filled in. */
export interface AgentSettings<Context> {
  readonly model: Model;
  readonly instructions: string | undefined;
  readonly gate: Gate<Context>;
  readonly limits: {
    readonly maxTurns: number;
    readonly maxTokens: number;
    /** Whether somebody relies on it. */
    readonly asksTokens: boolean;
    readonly maxDurationMs: number;
    readonly maxAnswerBytes: number;
    readonly maxCallsPerTurn: number;
    readonly maxCallsPerTool: ReadonlyMap<string, number>;
    readonly maxRepeats: number;
    readonly mayRepeat: readonly string[];
    readonly maxFruitlessTurns: number;
  };
  readonly closingTurn: boolean;
  readonly stopAfterTools: ReadonlySet<string>;
  readonly call: NonNullable<AgentConfig['call']>;
  readonly seal: StateSeal;
  readonly claimDecision: (approvalId: string, request: ApprovalRequest) => boolean | Promise<boolean>;
  readonly clock: Clock;
  readonly ids: () => string;
}

/** @throws AgentError `agent/options-invalid` that names the field. */
export function readAgentConfig<Context>(config: AgentConfig<Context>): AgentSettings<Context> {
  if (typeof config !== 'object' || config === null) throw invalid('an agent is made of { model, gate }');
  const { model, gate, instructions, limits = {}, clock = systemClock } = config;
  refuseUnknown('the configuration', config, FIELDS);
  refuseUnknown('limits', limits, LIMITS);
  refuseUnknown('call', config.call ?? {}, CALL);
  // First: a copy has lost what is no JSON, such as a function in its place.
  checkChoice(config.call?.toolChoice);
  const call = copyCall(config.call ?? {});
  if (typeof model?.stream !== 'function')
    throw invalid('model must be a Model, for example createOpenaiChatModel({ apiKey, model })');
  if (typeof gate?.open !== 'function') throw invalid('gate must be made by createGate({ tools })');
  if (instructions !== undefined && typeof instructions !== 'string')
    throw invalid('instructions must be a string');
  checkKinds(config);
  const known = new Set(gate.tools.map(({ contract }) => contract.definition.name));
  const stopAfterTools = config.stopAfterTools === 'any' ? known : new Set(config.stopAfterTools ?? []);
  const mayRepeat = [...(limits.mayRepeat ?? [])];
  const maxCallsPerTool = new Map(Object.entries(limits.maxCallsPerTool ?? {}));
  const named = {
    stopAfterTools,
    'limits.maxCallsPerTool': maxCallsPerTool.keys(),
    'limits.mayRepeat': mayRepeat,
    'call.toolChoice': namesOfChoice(call.toolChoice) ?? [],
  };
  for (const [place, names] of Object.entries(named)) {
    for (const name of names) {
      if (!known.has(name))
        throw invalid(
          `${place}: there is no tool with the name ${JSON.stringify(String(name).slice(0, 64))}`,
        );
    }
  }
  for (const [name, value] of maxCallsPerTool) count(`limits.maxCallsPerTool.${name}`, value, 1);
  return {
    model,
    instructions,
    gate,
    limits: {
      maxTurns: count('limits.maxTurns', limits.maxTurns, 16),
      maxTokens: count('limits.maxTokens', limits.maxTokens, 2_000_000),
      asksTokens: typeof limits.maxTokens === 'number',
      maxDurationMs: count('limits.maxDurationMs', limits.maxDurationMs, 1_800_000),
      maxAnswerBytes: count('limits.maxAnswerBytes', limits.maxAnswerBytes, 16 * 1024 * 1024),
      maxCallsPerTurn: count('limits.maxCallsPerTurn', limits.maxCallsPerTurn, 128),
      maxCallsPerTool,
      maxRepeats: count('limits.maxRepeats', limits.maxRepeats, 3, 2),
      mayRepeat,
      maxFruitlessTurns: count('limits.maxFruitlessTurns', limits.maxFruitlessTurns, 3),
    },
    closingTurn: config.closingTurn ?? false,
    stopAfterTools,
    call,
    seal: createStateSeal(config.stateKey ?? crypto.getRandomValues(new Uint8Array(32)), config.cipher),
    claimDecision: config.claimDecision ?? rememberDecisions(clock),
    clock,
    ids: config.ids ?? (() => crypto.randomUUID()),
  };
}

const FIELDS: readonly string[] = [
  'model',
  'instructions',
  'gate',
  'limits',
  'closingTurn',
  'stopAfterTools',
  'call',
  'stateKey',
  'cipher',
  'claimDecision',
  'clock',
  'ids',
];
/** What a call leaves to who makes the agent: the rest is the loop's own. */
const CALL: readonly string[] = [
  'toolChoice',
  'parallelToolCalls',
  'responseFormat',
  'limits',
  'sampling',
  'reasoning',
  'streamUsage',
  'endUser',
  'extensions',
];
const LIMITS: readonly string[] = [
  'maxTurns',
  'maxTokens',
  'maxDurationMs',
  'maxAnswerBytes',
  'maxCallsPerTurn',
  'maxCallsPerTool',
  'maxRepeats',
  'mayRepeat',
  'maxFruitlessTurns',
];

/** What would otherwise fail in the middle of a run, or mean something else. */
function checkKinds<Context>(config: AgentConfig<Context>): void {
  const { claimDecision, clock, closingTurn, ids, limits, stopAfterTools } = config;
  if (limits?.mayRepeat !== undefined && !Array.isArray(limits.mayRepeat))
    throw invalid('limits.mayRepeat must be a list of names');
  if (clock !== undefined && typeof clock?.now !== 'function')
    throw invalid('clock has now, setTimer and clearTimer');
  if (ids !== undefined && typeof ids !== 'function') throw invalid('ids must be a function');
  if (claimDecision !== undefined && typeof claimDecision !== 'function')
    throw invalid('claimDecision must be a function');
  if (closingTurn !== undefined && typeof closingTurn !== 'boolean')
    throw invalid('closingTurn must be true or false');
  if (stopAfterTools !== undefined && stopAfterTools !== 'any' && !Array.isArray(stopAfterTools))
    throw invalid("stopAfterTools must be a list of names, or 'any'");
}

/** What was checked is what every run asks with: neither who wrote it nor a model that gets it changes it later. */
function copyCall(call: NonNullable<AgentConfig['call']>): NonNullable<AgentConfig['call']> {
  try {
    const copy = JSON.parse(JSON.stringify(call)) as JsonValue;
    return freezeJson(copy) as NonNullable<AgentConfig['call']>;
  } catch (cause) {
    throw new AgentError('agent/options-invalid', 'call has no JSON form', { cause });
  }
}

function count(field: string, value: number | 'none' | undefined, otherwise: number, least = 1): number {
  if (value === 'none') return Number.POSITIVE_INFINITY;
  const chosen = value === undefined ? otherwise : value;
  if (!Number.isSafeInteger(chosen) || chosen < least)
    throw invalid(`${field} must be a whole number from ${least}, or 'none'`);
  return chosen;
}

function invalid(message: string): AgentError {
  return new AgentError('agent/options-invalid', message);
}
