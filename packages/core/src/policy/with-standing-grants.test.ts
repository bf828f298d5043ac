import { describe, expect, test } from 'vitest';
import { defineContract } from '../tool/define-contract.ts';
import type { ExecutionClass } from '../tool/profile.ts';
import type { ApprovalCall, ApprovalRequest } from './approval.ts';
import { toApprovalRequest } from './approval-request.ts';
import type { StandingGrant } from './standing-grant.ts';
import { withStandingGrants } from './with-standing-grants.ts';

const contract = defineContract({ name: 'shell', description: '', inputSchema: { type: 'object' } });

function request(
  args: unknown,
  facts: { readonly principal?: string; readonly class?: ExecutionClass } = {},
): ApprovalRequest {
  const prepared = contract.prepare({ id: 'c', name: 'shell', arguments: JSON.stringify(args) });
  if (!prepared.ok) throw new Error(prepared.error.text);
  return toApprovalRequest({
    id: 'a',
    contract,
    invocation: prepared.invocation,
    class: facts.class ?? 'write',
    principal: facts.principal,
    now: 1_000,
    lifetimeMs: 500,
  });
}

/** What the approver behind the grants is asked is answered with `defer`. */
const decide = (grant: StandingGrant, asked: ApprovalRequest, now = 1_000) =>
  withStandingGrants([grant], () => 'defer', { now: () => now })(asked, {} as ApprovalCall);

const status: StandingGrant = {
  tool: 'shell',
  arguments: { command: { equals: 'git status' } },
  expiresAt: 2_000,
};

describe('a standing grant', () => {
  test('says yes to the call it describes', () => {
    expect(decide(status, request({ command: 'git status' }))).toBe('allow');
  });

  test.each<[string, unknown]>([
    ['a command that goes on', { command: 'git status && rm -rf /' }],
    ['a command that begins earlier', { command: 'sudo git status' }],
    ['another spelling', { command: 'git  status' }],
    ['a list that would print the same', { command: ['git status'] }],
    ['a member that nobody spoke of', { command: 'git status', cwd: '/' }],
    ['no arguments', {}],
    ['the name of something every object has', { toString: 'git status' }],
  ])('leaves %s to whoever decides', (_, args) => {
    expect(decide(status, request(args))).toBe('defer');
  });

  test.each([
    ['git log --oneline', 'allow'],
    ['git log --oneline; rm -rf /', 'defer'],
    ['git log\n--oneline', 'defer'],
    ['x git log --oneline', 'defer'],
    ['git push', 'defer'],
  ])('with a pattern looks at the whole text: %j', (command, verdict) => {
    const grant: StandingGrant = {
      tool: 'shell',
      arguments: { command: { matches: 'git log --[a-z]+|git diff' } },
      expiresAt: 'none',
    };
    expect(decide(grant, request({ command }))).toBe(verdict);
  });

  test('holds for other members only when that is written', () => {
    const grant: StandingGrant = { ...status, otherArguments: 'any' };
    expect(decide(grant, request({ command: 'git status', cwd: '/' }))).toBe('allow');
    expect(decide(grant, request({ cwd: '/' }))).toBe('defer');
  });

  test('without rules covers a call without arguments', () => {
    const grant: StandingGrant = { tool: 'shell', expiresAt: 'none' };
    expect(decide(grant, request({}))).toBe('allow');
    expect(decide(grant, request({ any: 1 }))).toBe('defer');
  });

  test('ends at its time', () => {
    expect(decide(status, request({ command: 'git status' }), 1_999)).toBe('allow');
    expect(decide(status, request({ command: 'git status' }), 2_000)).toBe('defer');
  });

  test('of one principal is not one of another, nor of nobody', () => {
    const asked = (principal?: string) =>
      request({ command: 'git status' }, principal === undefined ? {} : { principal });
    const anas: StandingGrant = { ...status, principal: 'ana' };
    expect([decide(anas, asked('ana')), decide(anas, asked('ben')), decide(anas, asked())]).toEqual([
      'allow',
      'defer',
      'defer',
    ]);
    expect(decide(status, asked('ana'))).toBe('defer');
    expect(decide({ ...status, principal: '*' }, asked('ben'))).toBe('allow');
  });

  test('goes no higher than its class, and does not outlive the contract it names', () => {
    const grant: StandingGrant = { ...status, maxClass: 'write', contractDigest: contract.digest };
    expect(decide(grant, request({ command: 'git status' }))).toBe('allow');
    expect(decide(grant, request({ command: 'git status' }, { class: 'external' }))).toBe('defer');
    const other = { ...grant, contractDigest: `sha256:${'0'.repeat(64)}` };
    expect(decide(other, request({ command: 'git status' }))).toBe('defer');
  });

  test('compares values by what they are, whatever the order of their members', () => {
    const grant: StandingGrant = {
      tool: 'shell',
      arguments: { at: { equals: { x: 1, y: [true, null] } }, n: { equals: 0 } },
      expiresAt: 'none',
    };
    expect(decide(grant, request({ n: 0, at: { y: [true, null], x: 1 } }))).toBe('allow');
    expect(decide(grant, request({ n: false, at: { y: [true, null], x: 1 } }))).toBe('defer');
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['no expiry', { tool: 'shell' }],
    ['an expiry that is a date text', { tool: 'shell', expiresAt: '2026-13-45' }],
    ['an expiry of NaN', { tool: 'shell', expiresAt: Number.NaN }],
    ['a pattern of names', { tool: 'sh*', expiresAt: 'none' }],
    ['a misspelt field', { tool: 'shell', argument: {}, expiresAt: 'none' }],
    ['an empty principal', { tool: 'shell', principal: '', expiresAt: 'none' }],
    ['a digest that is no text', { tool: 'shell', contractDigest: 1, expiresAt: 'none' }],
    ['a class that is none', { tool: 'shell', maxClass: 'safe', expiresAt: 'none' }],
    ['another word for the rest', { tool: 'shell', otherArguments: 'allow', expiresAt: 'none' }],
    ['arguments that are no object', { tool: 'shell', arguments: 1, expiresAt: 'none' }],
    ['a rule that is none', { tool: 'shell', arguments: { a: {} }, expiresAt: 'none' }],
    ['two rules in one', { tool: 'shell', arguments: { a: { equals: 1, matches: '' } }, expiresAt: 'none' }],
    ['a pattern that is no text', { tool: 'shell', arguments: { a: { matches: /x/ } }, expiresAt: 'none' }],
    [
      'a pattern that can be slow',
      { tool: 'shell', arguments: { a: { matches: '(a+)+' } }, expiresAt: 'none' },
    ],
    [
      'a pattern that ends the group',
      { tool: 'shell', arguments: { a: { matches: 'a)|(?:b' } }, expiresAt: 'none' },
    ],
  ])('is not made from %s', (_, grant) => {
    expect(() => withStandingGrants([grant as StandingGrant], () => 'defer')).toThrow(
      expect.objectContaining({ code: 'policy/standing-grant-invalid' }),
    );
  });

  test.each<[string, readonly unknown[]]>([
    ['no list', [null, () => 'defer']],
    ['one grant alone', [{ tool: 'shell', expiresAt: 'none' }, () => 'defer']],
    ['a word for the approver', [[], 'decline']],
    ['nothing for the options', [[], () => 'defer', null]],
    ['a misspelt clock', [[], () => 'defer', { clock: () => 0 }]],
    ['a time for the clock', [[], () => 'defer', { now: 5 }]],
  ])('are not taken with %s', (_, given) => {
    const make = withStandingGrants as (...given: readonly unknown[]) => unknown;
    expect(() => make(...given)).toThrow(expect.objectContaining({ code: 'policy/standing-grant-invalid' }));
  });
});
