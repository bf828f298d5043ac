import type { FunctionTool, ModelCall } from '@toolgate/model';
import { expect, test } from 'vitest';
import { testFirewall } from '../../../test-support/gateway-fixture.ts';
import { makePrincipal } from '../../keys/make-principal.ts';
import type { Grants, Principal } from '../../ports/principal.ts';
import { createFirewallPolicy, type FirewallPolicy } from '../firewall/firewall-policy.ts';
import { createToolOffers, offerRules } from './tool-offers.ts';

const tool = (name: string): FunctionTool => ({ kind: 'function', name, parameters: { type: 'object' } });
const tools = Object.freeze(['find', 'write'].map(tool));
const call: ModelCall = { model: 'm', items: [], tools };

const GRANTS: Grants = {
  toolsDefault: 'allow',
  allow: [],
  deny: [],
  routes: 'all',
  servers: 'all',
  admin: false,
  limits: {},
};
const key = (grants: Partial<Grants> = {}): Principal => makePrincipal('p', 'k', { ...GRANTS, ...grants });
const route = (...deny: string[]): FirewallPolicy =>
  createFirewallPolicy(testFirewall({ scope: { allow: [], deny } }), { lifetimeMs: 1, passthrough: false });

test('a list that comes again is sorted once for one key on one route', () => {
  const offer = createToolOffers();
  const rules = offerRules(key(), route('write'));
  const first = offer(call, rules);
  expect(first.left.map(({ name }) => name)).toEqual(['find']);
  expect(offer({ ...call, model: 'n' }, rules)).toBe(first);
  expect(offer({ ...call, tools: [...tools] }, rules)).not.toBe(first);
});

test('no key and no route gets what another one was offered, however often they take turns', () => {
  const offer = createToolOffers();
  const principals = [key(), key({ deny: ['find'] }), key({ toolsDefault: 'deny' })];
  const policies = [route(), route('write'), route('find')];
  for (let turn = 0; turn < 3; turn++) {
    for (const principal of principals) {
      for (const policy of policies) {
        const rules = offerRules(principal, policy);
        const names = offer(call, rules).left.map(({ name }) => name);
        expect(names).toEqual(['find', 'write'].filter(rules.permits));
      }
    }
  }
});

test('a call without tools is offered none', () => {
  const { functions, left } = createToolOffers()({ model: 'm', items: [] }, offerRules(key(), route()));
  expect([functions.size, left]).toEqual([0, []]);
});
