import { describe, expect, test } from 'vitest';
import { bind } from '../tool/binding.ts';
import { defineContract } from '../tool/define-contract.ts';
import { defineTool } from '../tool/define-tool.ts';
import { Failure } from '../tool/failure.ts';
import { guard } from '../tool/guard.ts';
import { type OutcomeKind, REASONS, type Reason, reasonEntry } from './reason.ts';

const all = Object.keys(REASONS) as Reason[];

describe('the vocabulary of reasons', () => {
  test('is this list and no other', () => {
    const byKind = (kind: OutcomeKind): string[] => all.filter((reason) => reasonEntry(reason).kind === kind);
    expect(byKind('completed')).toEqual(['completed', 'completed_truncated']);
    expect(byKind('failed')).toEqual([
      'tool_error',
      'tool_failure',
      'handler_error',
      'output_invalid',
      'output_too_large',
    ]);
    expect(byKind('rejected')).toEqual([
      'tool_unavailable',
      'not_authorized',
      'tool_rejected',
      'approval_declined',
      'approval_expired',
      'not_started',
      'call_limit',
    ]);
    expect(byKind('invalid')).toEqual([
      'arguments_malformed',
      'arguments_too_large',
      'arguments_too_deep',
      'arguments_not_object',
      'arguments_rejected',
      'validator_defect',
      'call_incomplete',
      'call_unread',
      'call_id_invalid',
      'call_id_duplicate',
    ]);
    expect(byKind('unknown')).toEqual([
      'deadline_exceeded',
      'cancelled_after_dispatch',
      'interrupted',
      'call_error',
    ]);
    expect(byKind('suspended')).toEqual(['approval_pending']);
    expect(all.length).toBe(29);
  });

  test('has whole sentences as fixed texts, and says of no unknown effect that it did not happen', () => {
    for (const reason of all) {
      const { kind, text } = reasonEntry(reason);
      if (text === undefined) continue;
      expect(text).toMatch(/^[A-Z].*\.$/);
      if (kind === 'unknown') expect(text).toContain('effects are unknown');
    }
  });

  test('agrees with the texts that a contract and a guard use where no gate is', async () => {
    const definition = { name: 't', description: '', inputSchema: { type: 'object' } } as const;
    const contract = defineContract(definition, {
      validator: () => {
        throw new Error('defect');
      },
    });
    const text = (call: object): string => {
      const prepared = contract.prepare({ id: 'c', name: 't', arguments: '{}', ...call });
      return prepared.ok ? '' : prepared.error.text;
    };
    expect(text({ name: 'other' })).toBe(REASONS.tool_unavailable.text);
    expect(text({ complete: false })).toBe(REASONS.call_incomplete.text);
    expect(text({})).toBe(REASONS.validator_defect.text);
    const tool = defineTool({ name: 't', description: '', input: { type: 'object' }, execute: () => 1 });
    const binding = bind(guard({ tool, authorizer: () => false }));
    const prepared = binding.contract.prepare({ id: 'c', name: 't', arguments: '{}' });
    if (!prepared.ok) throw new Error(prepared.error.text);
    const refused: unknown = await binding.call(prepared.invocation).catch((error: unknown) => error);
    expect(Failure.is(refused) && refused.output.text()).toBe(REASONS.not_authorized.text);
  });
});
