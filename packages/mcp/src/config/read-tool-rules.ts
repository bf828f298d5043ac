import {
  EXECUTION_RANKS,
  type ExecutionClass,
  type JsonObject,
  type JsonValue,
  type ResultBudget,
} from '@toolgate/core';
import { RULE_MEMBERS } from '../mount/mount-rule.ts';
import { asFlag, asList, asObject, asText, configFault, optional } from './config-fault.ts';
import type { ToolRuleConfig } from './mcp-config.ts';

const OVERFLOWS = ['truncate', 'fail'] as const;

/**
 * Reads the rules of one server. A rule says what may happen, so nothing in it is guessed or passed over.
 *
 * @throws McpError `mcp/config-invalid`
 */
export function readToolRules(value: JsonValue, pointer: string): readonly ToolRuleConfig[] {
  return Object.freeze(
    asList(value, pointer).map((rule, index) =>
      readRule(asObject(rule, `${pointer}/${index}`), `${pointer}/${index}`),
    ),
  );
}

function readRule(rule: JsonObject, pointer: string): ToolRuleConfig {
  const read = <Value>(name: string, take: (value: JsonValue, at: string) => Value): Value | undefined => {
    const value = optional(rule, name);
    return value === undefined ? undefined : take(value, `${pointer}/${name}`);
  };
  const tool = read('tool', asText);
  if (tool === undefined || tool === '')
    throw configFault('A rule needs the tool that it is for.', `${pointer}/tool`);
  const unknown = Object.keys(rule).find((name) => !RULE_MEMBERS.has(name));
  if (unknown !== undefined)
    throw configFault('This member of a rule is not known.', `${pointer}/${unknown}`);
  const members = {
    class: read('class', asClass),
    timeoutMs: read('timeoutMs', asTimeout),
    maxTimeoutMs: read('maxTimeoutMs', asTimeout),
    resourceKey: read('resourceKey', asText),
    idempotent: read('idempotent', asFlag),
    privileged: read('privileged', asFlag),
    resultBudget: read('resultBudget', asBudget),
    available: read('available', asFlag),
    output: read('output', asOutput),
    unknownMembers: read('unknownMembers', asPermission),
  };
  const set = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  return Object.freeze({ tool, ...(set as Omit<ToolRuleConfig, 'tool'>) });
}

function asClass(value: JsonValue, pointer: string): ExecutionClass {
  const known = Object.keys(EXECUTION_RANKS).find((each) => each === value);
  if (known === undefined) throw configFault('A class is unclassified, read, write or external.', pointer);
  return known as ExecutionClass;
}

function asOutput(value: JsonValue, pointer: string): 'strict' | 'lenient' {
  if (value === 'strict' || value === 'lenient') return value;
  throw configFault('output is strict or lenient.', pointer);
}

function asPermission(value: JsonValue, pointer: string): 'allow' | 'refuse' {
  if (value === 'allow' || value === 'refuse') return value;
  throw configFault('unknownMembers is allow or refuse.', pointer);
}

function asTimeout(value: JsonValue, pointer: string): number | 'none' {
  if (value === 'none') return 'none';
  return asCount(value, pointer, 'A timeout is a whole number of milliseconds from 1, or "none".');
}

function asBudget(value: JsonValue, pointer: string): ResultBudget {
  const budget = asObject(value, pointer);
  const bytes = asCount(
    optional(budget, 'bytes') ?? null,
    `${pointer}/bytes`,
    'A budget is a whole number of bytes from 1.',
  );
  const overflow = OVERFLOWS.find((each) => each === (optional(budget, 'overflow') ?? 'truncate'));
  if (overflow === undefined || Object.keys(budget).some((name) => name !== 'bytes' && name !== 'overflow')) {
    throw configFault('A budget has bytes, and truncate or fail for overflow.', pointer);
  }
  return Object.freeze({ bytes, overflow });
}

function asCount(value: JsonValue, pointer: string, message: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1)
    throw configFault(message, pointer);
  return value;
}
