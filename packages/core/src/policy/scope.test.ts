import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApprovalDecision, Approver } from './approval.ts';
import { DEFAULT_APPROVAL_LIFETIME_MS } from './approval.ts';
import { createScope, type Scope } from './scope.ts';
import type { ScopeOptions } from './scope-options.ts';

const plain = (name: string) => ({ name, privileged: false });
const privileged = (name: string) => ({ name, privileged: true });
const allowAll = (): ApprovalDecision => 'allow';
const deferAll = (): ApprovalDecision => 'defer';

describe('a scope', () => {
  test('without rules permits every tool that is not privileged', () => {
    expect(createScope().judge(plain('a'))).toBe('permitted');
    expect(createScope({ allow: [] }).judge(plain('a'))).toBe('permitted');
    expect(createScope().judge(privileged('a'))).toBe('privileged_not_allowed');
  });

  test('with an allow list permits what it names, privileged tools too, and nothing else', () => {
    const scope = createScope({ allow: ['a', 'root'] });
    expect(scope.judge(plain('a'))).toBe('permitted');
    expect(scope.judge(privileged('root'))).toBe('permitted');
    expect(scope.judge(plain('b'))).toBe('scope_denied');
    expect(scope.judge(privileged('b'))).toBe('scope_denied');
  });

  test('lets deny win over allow', () => {
    const scope = createScope({ allow: ['a', 'b'], deny: ['b'] });
    expect(scope.judge(plain('b'))).toBe('scope_denied');
    expect(scope.judge(privileged('b'))).toBe('scope_denied');
  });

  test('folds no names', () => {
    expect(createScope({ deny: ['delete_all'] }).judge(plain('Delete_all'))).toBe('permitted');
  });

  test('does not change when the lists it was made from do', () => {
    const allow = ['a'];
    const scope = createScope({ allow });
    allow.push('b');
    expect(scope.judge(plain('b'))).toBe('scope_denied');
    expect(Object.isFrozen(scope)).toBe(true);
  });

  test.each<[string, unknown, string]>([
    ['nothing at all', null, 'policy/scope-invalid'],
    ['an unknown field', { allowed: ['a'] }, 'policy/scope-invalid'],
    ['a list that is a string', { allow: 'a' }, 'policy/scope-invalid'],
    ['a name that is a number', { deny: [1] }, 'policy/scope-invalid'],
    ['a hole in a list', { deny: new Array(1) }, 'policy/scope-invalid'],
    ['a pattern', { deny: ['delete_*'] }, 'policy/scope-invalid'],
    ['a blank name', { allow: [' '] }, 'policy/scope-invalid'],
    ['a name with a blank', { allow: ['a '] }, 'policy/scope-invalid'],
    ['a name of 65 characters', { allow: ['a'.repeat(65)] }, 'policy/scope-invalid'],
    ['an approver that is no function', { approve: true }, 'policy/scope-invalid'],
    ['an unknown threshold', { approve: allowAll, approvalThreshold: 'Write' }, 'policy/threshold-unknown'],
    [
      'a threshold from a prototype',
      { approve: allowAll, approvalThreshold: 'toString' },
      'policy/threshold-unknown',
    ],
    ['a threshold without an approver', { approvalThreshold: 'write' }, 'policy/scope-invalid'],
    ['a lifetime without an approver', { approvalLifetimeMs: 5 }, 'policy/scope-invalid'],
    ['a lifetime of zero', { approve: allowAll, approvalLifetimeMs: 0 }, 'policy/scope-invalid'],
    ['a lifetime of NaN', { approve: allowAll, approvalLifetimeMs: Number.NaN }, 'policy/scope-invalid'],
    [
      'an infinite lifetime',
      { approve: allowAll, approvalLifetimeMs: Number.POSITIVE_INFINITY },
      'policy/scope-invalid',
    ],
  ])('is not made from %s', (_name, options, code) => {
    expect(() => createScope(options as ScopeOptions)).toThrow(expect.objectContaining({ code }));
  });

  test('names the field that it does not know', () => {
    expect(() => createScope({ denied: ['a'] } as ScopeOptions)).toThrow(/"denied"; it takes allow, deny,/);
  });
});

describe('approvals', () => {
  test('are asked for at the threshold and above, and for words outside the list', () => {
    const scope = createScope({ approve: allowAll, approvalThreshold: 'write' });
    const needed = ['unclassified', 'read', 'write', 'external', 'nuclear'].filter(
      (word) => scope.approvalFor(word) !== undefined,
    );
    expect(needed).toEqual(['write', 'external', 'nuclear']);
  });

  test('are asked for every call when no threshold is given, and for none without an approver', () => {
    expect(createScope({ approve: allowAll }).approvalFor('unclassified')?.approvers).toEqual([allowAll]);
    expect(createScope().approvalFor('external')).toBeUndefined();
  });

  test('expire after an hour, or when the scope says so', () => {
    expect(DEFAULT_APPROVAL_LIFETIME_MS).toBe(3_600_000);
    expect(createScope({ approve: allowAll }).approvalFor('read')?.lifetimeMs).toBe(3_600_000);
    const never = createScope({ approve: allowAll, approvalLifetimeMs: 'none' });
    expect(never.approvalFor('read')?.lifetimeMs).toBe('none');
    expect(never.narrow({ approvalLifetimeMs: 50 }).approvalFor('read')?.lifetimeMs).toBe(50);
    const short = createScope({ approve: allowAll, approvalLifetimeMs: 50 });
    expect(short.narrow({ approvalLifetimeMs: 'none' }).approvalFor('read')?.lifetimeMs).toBe(50);
    expect(short.narrow({ approvalLifetimeMs: 90 }).approvalFor('read')?.lifetimeMs).toBe(50);
  });
});

describe('narrow', () => {
  test('cannot bring back what was denied or not allowed', () => {
    const scope = createScope({ allow: ['a', 'b'], deny: ['b'] }).narrow({ allow: ['a', 'b', 'c'] });
    expect(['a', 'b', 'c'].map((name) => scope.judge(plain(name)))).toEqual([
      'permitted',
      'scope_denied',
      'scope_denied',
    ]);
  });

  test('cannot allow a privileged tool, and keeps one that was allowed', () => {
    expect(
      createScope()
        .narrow({ allow: ['root'] })
        .judge(privileged('root')),
    ).toBe('privileged_not_allowed');
    const scope = createScope({ allow: ['root', 'a'] });
    expect(scope.narrow({ deny: ['a'] }).judge(privileged('root'))).toBe('permitted');
    expect(scope.narrow({ allow: ['a'] }).judge(privileged('root'))).toBe('scope_denied');
  });

  test('refuses an empty allow list, which would read like nothing and remove nothing', () => {
    expect(() => createScope().narrow({ allow: [] })).toThrow(
      expect.objectContaining({ code: 'policy/scope-invalid' }),
    );
  });

  test('leaves the scope it was called on as it is', () => {
    const scope = createScope();
    scope.narrow({ deny: ['a'] });
    expect(scope.judge(plain('a'))).toBe('permitted');
  });

  test('lowers a threshold but never raises it', () => {
    const scope = createScope({ approve: allowAll, approvalThreshold: 'write' });
    expect(scope.narrow({ approvalThreshold: 'read' }).approvalFor('read')?.approvers).toEqual([allowAll]);
    expect(scope.narrow({ approvalThreshold: 'external' }).approvalFor('write')?.approvers).toEqual([
      allowAll,
    ]);
    expect(() => createScope().narrow({ approvalThreshold: 'read' })).toThrow(
      expect.objectContaining({ code: 'policy/scope-invalid' }),
    );
  });

  test('adds an approver after those there are', () => {
    const scope = createScope({ approve: allowAll, approvalThreshold: 'external' });
    const narrowed = scope.narrow({ approve: deferAll, approvalThreshold: 'write' });
    expect(narrowed.approvalFor('external')?.approvers).toEqual([allowAll, deferAll]);
    expect(narrowed.approvalFor('write')?.approvers).toEqual([deferAll]);
    expect(narrowed.approvalFor('read')).toBeUndefined();
  });

  test('whatever is chained, nothing becomes permitted and no approver is dropped', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const options = fc.record(
      {
        allow: fc.uniqueArray(name, { minLength: 1 }),
        deny: fc.uniqueArray(name),
        approve: fc.constantFrom<Approver>(allowAll, deferAll),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(options, fc.array(options, { maxLength: 4 }), (root, chain) => {
        let scope: Scope = createScope(root);
        for (const step of chain) {
          const narrowed = scope.narrow(step);
          for (const tool of [plain('a'), plain('b'), plain('c'), privileged('a'), privileged('b')]) {
            if (scope.judge(tool) !== 'permitted') expect(narrowed.judge(tool)).not.toBe('permitted');
          }
          const before = scope.approvalFor('read')?.approvers ?? [];
          expect(narrowed.approvalFor('read')?.approvers ?? []).toEqual(expect.arrayContaining([...before]));
          scope = narrowed;
        }
      }),
    );
  });
});
