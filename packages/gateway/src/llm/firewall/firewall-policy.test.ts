import type { ExecutionClass } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { readYamlText } from '../../config/config-text.ts';
import { readConfig } from '../../config/read-config.ts';
import { createFirewallPolicy } from './firewall-policy.ts';

/** What a written firewall says about a call of a tool. */
function asks(approve: string, tool: string, word: ExecutionClass): boolean {
  const text = `
providers: { up: { protocol: openai-chat, baseUrl: 'http://127.0.0.1:9/v1' } }
routes: [{ model: m, candidates: [{ provider: up }], firewall: { approve: ${approve} } }]
`;
  const config = readConfig(readYamlText(text), {});
  const policy = createFirewallPolicy(config.routes[0]?.firewall, { lifetimeMs: 1, passthrough: false });
  return policy.approvalFor(tool, word) !== undefined;
}

describe('an approval that a route asks for', () => {
  test.each<[string, string, ExecutionClass, boolean]>([
    ['{}', 'look', 'read', true],
    ['none', 'pay', 'external', false],
    ['{ threshold: write }', 'look', 'read', false],
    ['{ threshold: write }', 'pay', 'write', true],
    ['{ tools: [pay*] }', 'pay_now', 'read', true],
    ['{ tools: [pay*] }', 'look', 'external', false],
    ['{ tools: [] }', 'pay', 'external', false],
    ['{ threshold: external, tools: [pay] }', 'pay', 'read', true],
    ['{ threshold: external, tools: [pay] }', 'look', 'external', true],
    ['{ threshold: external, tools: [pay] }', 'look', 'write', false],
  ])('%s: a call of %s, class %s: %j', (approve, tool, word, needed) => {
    expect(asks(approve, tool, word)).toBe(needed);
  });
});
