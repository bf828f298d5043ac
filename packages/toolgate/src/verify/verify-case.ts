import { type BoundDefinition, bindDefinitions } from '../definitions/bound-definition.ts';
import type { ContractCache } from '../definitions/contract-cache.ts';
import type { RecordedCall, RecordedCase } from './read-case.ts';

/** What is wrong with a line, with a definition, or between a flag and a contract. */
export type Finding =
  | { readonly kind: 'case-invalid'; readonly line: number; readonly code: string; readonly message: string }
  | {
      readonly kind: 'definition-refused';
      readonly line: number;
      readonly case: string;
      readonly tool: string;
      readonly code: string;
      readonly message: string;
    }
  | {
      readonly kind: 'disagreement';
      readonly line: number;
      readonly case: string;
      /** 0-based, in `calls`. */
      readonly call: number;
      readonly tool: string;
      readonly recorded: 'valid' | 'invalid';
      readonly verdict: 'admitted' | 'refused';
      /** Why it was refused; absent when it was admitted. */
      readonly reason?: string;
      readonly text?: string;
    };

/** Counts of one case or of many. */
export interface VerifyCounts {
  readonly cases: number;
  readonly tools: number;
  /** Tools that have an alias because no contract can have their name. */
  readonly aliased: number;
  readonly calls: number;
  readonly admitted: number;
  readonly refused: number;
  /** Calls of tools without a contract; they are neither admitted nor refused. */
  readonly unchecked: number;
  readonly agreed: number;
  readonly disagreed: number;
  /** Calls for which nothing was recorded. */
  readonly unrecorded: number;
}

type Verdict =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'refused'; readonly reason: string; readonly text: string }
  | { readonly kind: 'unchecked' };

/** Binds the tools of a case, prepares each of its calls, and compares with what was recorded. */
export function verifyCase(
  recorded: RecordedCase,
  line: number,
  cache: ContractCache,
): { readonly counts: VerifyCounts; readonly findings: readonly Finding[] } {
  const definitions = bindDefinitions(recorded.tools, { cache });
  const findings: Finding[] = [];
  const byName = new Map<string, BoundDefinition>();
  for (const definition of definitions) {
    const { name, fault } = definition;
    // Which of two is meant nobody can say, so neither is used.
    const twice = byName.has(name) ? DUPLICATE : undefined;
    byName.set(name, twice === undefined ? definition : { ...WITHOUT_CONTRACT, name });
    const wrong = fault ?? twice;
    if (wrong === undefined) continue;
    const { code, message } = wrong;
    findings.push({ kind: 'definition-refused', line, case: recorded.id, tool: name, code, message });
  }
  const counts = {
    cases: 1,
    tools: definitions.length,
    aliased: definitions.filter(({ alias }) => alias !== undefined).length,
    calls: recorded.calls.length,
    admitted: 0,
    refused: 0,
    unchecked: 0,
    agreed: 0,
    disagreed: 0,
    unrecorded: 0,
  };
  recorded.calls.forEach((call, index) => {
    const verdict = judge(byName.get(call.name), call, index);
    counts[verdict.kind] += 1;
    if (call.valid === undefined) counts.unrecorded += 1;
    else if (verdict.kind === 'unchecked') return;
    else if (call.valid === (verdict.kind === 'admitted')) counts.agreed += 1;
    else {
      counts.disagreed += 1;
      findings.push({
        kind: 'disagreement',
        line,
        case: recorded.id,
        call: index,
        tool: call.name,
        recorded: call.valid ? 'valid' : 'invalid',
        verdict: verdict.kind,
        ...(verdict.kind === 'refused' ? { reason: verdict.reason, text: verdict.text } : {}),
      });
    }
  });
  return { counts, findings };
}

const DUPLICATE = Object.freeze({
  code: 'tool/name-duplicate',
  message: 'Another tool of this case has the same name.',
});

const WITHOUT_CONTRACT = Object.freeze({ form: 'unknown', class: 'unclassified', privileged: false });

function judge(definition: BoundDefinition | undefined, call: RecordedCall, index: number): Verdict {
  if (definition === undefined) {
    return { kind: 'refused', reason: 'tool_unavailable', text: 'The tool is not available.' };
  }
  const { contract } = definition;
  if (contract === undefined) return { kind: 'unchecked' };
  const prepared = contract.prepare({
    id: `call-${index}`,
    name: contract.definition.name,
    arguments: call.arguments,
  });
  return prepared.ok
    ? { kind: 'admitted' }
    : { kind: 'refused', reason: prepared.error.reason, text: prepared.error.text };
}
