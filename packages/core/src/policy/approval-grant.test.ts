import { describe, expect, test } from 'vitest';
import { defineContract } from '../tool/define-contract.ts';
import type { ApprovalRequest } from './approval.ts';
import { ApprovalGrant, createGrant, type GrantOptions, redeemGrant } from './approval-grant.ts';
import { toApprovalRequest } from './approval-request.ts';

const contract = defineContract({ name: 'pay', description: '', inputSchema: { type: 'object' } });

function request(overrides: Partial<ApprovalRequest> = {}): ApprovalRequest {
  const prepared = contract.prepare({ id: 'call-1', name: 'pay', arguments: '{"amount":5}' });
  if (!prepared.ok) throw new Error(prepared.error.text);
  const made = toApprovalRequest({
    id: 'approval-1',
    contract,
    invocation: prepared.invocation,
    class: 'write',
    principal: 'ana',
    now: 1_000,
    lifetimeMs: 500,
  });
  return { ...made, ...overrides };
}

const facts = (overrides: object = {}) => {
  const { callId, tool, contractDigest, argumentsDigest } = request();
  return { callId, tool, contractDigest, argumentsDigest, principal: 'ana', now: 1_400, ...overrides };
};

describe('an approval request', () => {
  test('describes the exact call and is deeply frozen', () => {
    const made = request();
    expect(made).toMatchObject({
      id: 'approval-1',
      callId: 'call-1',
      tool: 'pay',
      class: 'write',
      arguments: { amount: 5 },
      principal: 'ana',
      requestedAt: 1_000,
      expiresAt: 1_500,
    });
    expect(made.contractDigest).toBe(contract.digest);
    expect(Object.isFrozen(made.arguments)).toBe(true);
    expect(JSON.parse(JSON.stringify(made))).toEqual(made);
  });
});

describe('a grant', () => {
  test('permits exactly one execution of the call it was given for', () => {
    const grant = createGrant(request());
    expect(redeemGrant(grant, facts())).toEqual({ ok: true, argumentsText: undefined });
    expect(grant.used).toBe(true);
    expect(redeemGrant(grant, facts())).toEqual({ ok: false, reason: 'used' });
  });

  const other = `sha256:${'0'.repeat(64)}`;
  test.each<[string, object]>([
    ['expired', { now: 1_500 }],
    ['call', { callId: 'call-2' }],
    ['call', { tool: 'refund' }],
    ['contract', { contractDigest: other }],
    ['arguments', { argumentsDigest: other }],
    ['principal', { principal: 'ben' }],
    ['principal', { principal: undefined }],
  ])('is void (%s) when %j differs, and not used up by that', (reason, change) => {
    const grant = createGrant(request());
    expect(redeemGrant(grant, facts(change))).toEqual({ ok: false, reason });
    expect(grant.used).toBe(false);
    expect(redeemGrant(grant, facts()).ok).toBe(true);
  });

  test('for a request without expiry never expires', () => {
    const grant = createGrant(request({ expiresAt: 'none' }));
    expect(redeemGrant(grant, facts({ now: Number.MAX_SAFE_INTEGER })).ok).toBe(true);
  });

  test('survives storage of its request', () => {
    const stored = JSON.parse(JSON.stringify(request())) as ApprovalRequest;
    expect(redeemGrant(createGrant(stored), facts()).ok).toBe(true);
  });

  test('survives storage without a principal, and with members that defaults filled in', () => {
    const { principal, ...anonymous } = request({ filled: ['/amount'] });
    const grant = createGrant(JSON.parse(JSON.stringify(anonymous)) as ApprovalRequest);
    expect(principal).toBe('ana');
    expect(grant.request).toEqual(anonymous);
    expect(Object.isFrozen(grant.request.filled)).toBe(true);
    expect(redeemGrant(grant, facts()).ok).toBe(false);
    const { principal: who, ...unnamed } = facts();
    expect(who).toBe('ana');
    expect(redeemGrant(grant, unnamed).ok).toBe(true);
  });

  test('carries edited arguments as text, detached', () => {
    const edited = { amount: 6 };
    const grant = createGrant(request(), { arguments: edited });
    edited.amount = 7_000;
    expect(redeemGrant(grant, facts())).toEqual({ ok: true, argumentsText: '{"amount":6}' });
  });

  test('cannot be forged', () => {
    const forged = Object.create(ApprovalGrant.prototype) as ApprovalGrant;
    expect(() => redeemGrant(forged, facts())).toThrow(TypeError);
    expect(
      () => Reflect.construct(ApprovalGrant, [request()]) && redeemGrant({} as ApprovalGrant, facts()),
    ).toThrow(TypeError);
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a string', 'approval-1'],
    ['no id', { ...request(), id: undefined }],
    ['an empty call id', request({ callId: '' })],
    ['an expiry that is a date text', { ...request(), expiresAt: '2026-13-45' }],
    ['an expiry of null, as NaN becomes in JSON', { ...request(), expiresAt: null }],
    ['an expiry of NaN', request({ expiresAt: Number.NaN })],
    ['no expiry', { ...request(), expiresAt: undefined }],
    ['a negative time', request({ requestedAt: -1 })],
    ['a digest that is none', { ...request(), contractDigest: 'sha256:xyz' }],
    ['arguments that are no object', { ...request(), arguments: [] }],
    ['arguments that were edited', request({ arguments: { amount: 5_000 } })],
    ['a principal that is no string', { ...request(), principal: 7 }],
    ['filled that is no list', { ...request(), filled: 'amount' }],
    [
      'a throwing getter',
      {
        get id() {
          throw new Error('no');
        },
      },
    ],
  ])('is not made from a request with %s', (_name, stored) => {
    expect(() => createGrant(stored as ApprovalRequest)).toThrow(
      expect.objectContaining({ code: 'policy/request-invalid' }),
    );
  });

  test('is not made with an edit by another name, which would be a yes to what was asked', () => {
    expect(() => createGrant(request(), { argumnets: { n: 1 } } as GrantOptions)).toThrow(
      expect.objectContaining({ code: 'policy/decision-invalid' }),
    );
  });

  test('is not made with edited arguments that have no JSON form', () => {
    expect(() => createGrant(request(), { arguments: { n: Number.NaN } })).toThrow(
      expect.objectContaining({ code: 'policy/decision-invalid' }),
    );
  });
});
