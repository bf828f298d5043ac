import type { ForeignItem } from '@toolgate/model';
import { expect, test } from 'vitest';
import { awaitsClient } from './awaits-client.ts';

const item = (protocol: ForeignItem['protocol'], value: ForeignItem['value']): ForeignItem => ({
  kind: 'foreign',
  protocol,
  role: 'assistant',
  value,
});

test.each<[boolean, ForeignItem['protocol'], ForeignItem['value']]>([
  [true, 'openai-chat', { type: 'custom', custom: { name: 'grep' } }],
  [true, 'openai-responses', { type: 'custom_tool_call', name: 'grep' }],
  [true, 'openai-responses', { type: 'computer_call' }],
  [true, 'openai-responses', { type: 'a_new_kind_of_call' }],
  [true, 'openai-responses', { type: 'mcp_approval_request' }],
  [false, 'openai-responses', { type: 'web_search_call' }],
  [false, 'openai-responses', { type: 'mcp_call' }],
  [false, 'openai-responses', { type: 'mcp_list_tools' }],
  [false, 'openai-responses', { type: 7 }],
  [false, 'openai-responses', 'x'],
  [false, 'openai-responses', null],
  [false, 'anthropic', { type: 'server_tool_use', name: 'web_search' }],
  [false, 'gemini', { executableCode: {} }],
])('%s: a client has to answer an item of %s that is %j', (expected, protocol, value) => {
  expect(awaitsClient(item(protocol, value))).toBe(expected);
});
