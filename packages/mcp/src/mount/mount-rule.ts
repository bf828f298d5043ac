import {
  EXECUTION_RANKS,
  type ExecutionClass,
  isToolName,
  type JsonObject,
  type ResultBudget,
} from '@toolgate/core';
import { McpError } from '../mcp-error.ts';

/**
 * What the application says about tools of a server. Nothing of it ever comes from the server: without a rule a tool is
 * `external`, whatever its annotations claim.
 */
export interface MountRule<Context = unknown> {
  /** The name that the server gives, exactly; `*` stands for any characters. */
  readonly tool: string;
  /** Default `external`. */
  readonly class?: ExecutionClass;
  /** How long a call may be silent, without an answer and without progress, in milliseconds. Default 60,000. */
  readonly timeoutMs?: number | 'none';
  /** How long a call may take altogether. Default 600,000, or `timeoutMs` where that is more. */
  readonly maxTimeoutMs?: number | 'none';
  /** Calls with the same key run one after the other. */
  readonly resourceKey?: string | ((args: JsonObject) => string);
  /** A repeated call with the same arguments has no further effect. Default `false`. */
  readonly idempotent?: boolean;
  /** Needs an explicit allow in the scope. Default `false`. */
  readonly privileged?: boolean;
  readonly resultBudget?: ResultBudget;
  /** Whether the tool is offered to this caller now. */
  readonly available?: (context: Context) => boolean | Promise<boolean>;
  /**
   * What a result without the declared structured content, or with content that breaks the declared schema, comes to.
   * `strict` (the default): the call failed. `lenient`: it is given on and reported.
   */
  readonly output?: 'strict' | 'lenient';
  /**
   * What becomes of arguments that a schema neither names nor says it takes (`open` in the report). `allow` (the
   * default): they are sent, and observed. `refuse`: the tool is offered with a closed schema.
   */
  readonly unknownMembers?: 'allow' | 'refuse';
}

/** The members of a rule. */
export const RULE_MEMBERS: ReadonlySet<string> = new Set<keyof MountRule<unknown>>([
  'tool',
  'class',
  'timeoutMs',
  'maxTimeoutMs',
  'resourceKey',
  'idempotent',
  'privileged',
  'resultBudget',
  'available',
  'output',
  'unknownMembers',
]);
const CLASSES: ReadonlySet<unknown> = new Set(Object.keys(EXECUTION_RANKS));

/** A rule with its pattern ready. */
export interface ReadyRule<Context> {
  readonly rule: MountRule<Context>;
  readonly matches: (tool: string) => boolean;
}

/**
 * Checks and copies rules. The first one that matches a tool is the one that counts for it.
 *
 * @throws {@link McpError} `mcp/options-invalid`: a rule that is misspelt must not turn into no rule.
 */
export function readRules<Context>(rules: readonly MountRule<Context>[]): readonly ReadyRule<Context>[] {
  if (!Array.isArray(rules)) refuse('The rules of a mount are an array.', '/rules');
  return rules.map((rule: MountRule<Context>, index) => {
    const pointer = `/rules/${index}`;
    if (typeof rule !== 'object' || rule === null) refuse('A rule is an object.', pointer);
    const unknown = Object.keys(rule).find((field) => !RULE_MEMBERS.has(field));
    if (unknown !== undefined) {
      const shown = isToolName(unknown) ? ` "${unknown}"` : '';
      refuse(`A rule has an unknown field${shown}; it takes ${[...RULE_MEMBERS].join(', ')}.`, pointer);
    }
    const { tool, class: executionClass, output, timeoutMs, maxTimeoutMs, unknownMembers } = rule;
    if (typeof tool !== 'string' || tool === '')
      refuse('The tool of a rule is a name or a pattern.', `${pointer}/tool`);
    if (executionClass !== undefined && !CLASSES.has(executionClass)) {
      refuse('The class of a rule is unclassified, read, write or external.', `${pointer}/class`);
    }
    if (output !== undefined && output !== 'strict' && output !== 'lenient') {
      refuse('The output of a rule is strict or lenient.', `${pointer}/output`);
    }
    if (unknownMembers !== undefined && unknownMembers !== 'allow' && unknownMembers !== 'refuse') {
      refuse('unknownMembers of a rule is allow or refuse.', `${pointer}/unknownMembers`);
    }
    checkTime(timeoutMs, `${pointer}/timeoutMs`);
    checkTime(maxTimeoutMs, `${pointer}/maxTimeoutMs`);
    return Object.freeze({ rule: Object.freeze({ ...rule }), matches: wildcard(tool) });
  });
}

/** Whether a name matches a pattern in which `*` stands for any characters. Takes time linear in the name. */
function wildcard(pattern: string): (name: string) => boolean {
  const pieces = pattern.split('*');
  const first = pieces[0] ?? '';
  if (pieces.length === 1) return (name) => name === pattern;
  const last = pieces.at(-1) ?? '';
  const middle = pieces.slice(1, -1);
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
      return false;
    const end = name.length - last.length;
    let at = first.length;
    for (const piece of middle) {
      const found = name.indexOf(piece, at);
      if (found < 0 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}

function checkTime(value: number | 'none' | undefined, pointer: string): void {
  if (value === undefined || value === 'none') return;
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return;
  refuse("A time is a positive number of milliseconds, or 'none' for no bound.", pointer);
}

function refuse(message: string, pointer: string): never {
  throw new McpError('mcp/options-invalid', message, { pointer });
}
