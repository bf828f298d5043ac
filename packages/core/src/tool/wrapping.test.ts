import { expect, test } from 'vitest';
import { textOutput } from './make-output.ts';
import type { Tool } from './tool.ts';
import { capability, isTool, MAX_WRAPPERS, unwrapChain } from './wrapping.ts';

const definition = () => ({ name: 'a', description: '', inputSchema: { type: 'object' } });
const call = async () => textOutput('');
const leaf: Tool = { definition, call };

function wrap(inner: Tool, more: Partial<Tool> = {}): Tool {
  return { definition, call, unwrap: () => inner, ...more };
}

function wrapTimes(times: number): Tool {
  let tool = leaf;
  for (let index = 0; index < times; index++) tool = wrap(tool);
  return tool;
}

const invalid = expect.objectContaining({ code: 'tool/wrapping-invalid' });

test('a chain is listed from the outside in', () => {
  const middle = wrap(leaf);
  const outer = wrap(middle);
  expect(unwrapChain(outer)).toEqual([outer, middle, leaf]);
  expect(unwrapChain(leaf)).toEqual([leaf]);
});

test('64 decorators are allowed and 65 are not', () => {
  expect(unwrapChain(wrapTimes(MAX_WRAPPERS))).toHaveLength(65);
  expect(() => unwrapChain(wrapTimes(MAX_WRAPPERS + 1))).toThrow(invalid);
});

test('a tool that unwraps to itself, or back to an outer one, is refused', () => {
  const self: Tool = { definition, call, unwrap: () => self };
  const outer: Tool = { definition, call, unwrap: () => inner };
  const inner: Tool = { definition, call, unwrap: () => outer };
  expect(() => unwrapChain(self)).toThrow(invalid);
  expect(() => unwrapChain(outer)).toThrow(invalid);
});

test('an endless chain of ever new tools is refused', () => {
  const endless = (): Tool => ({ definition, call, unwrap: endless });
  expect(() => unwrapChain(endless())).toThrow(invalid);
});

const broken: readonly (readonly [string, unknown])[] = [
  [
    'throws',
    () => {
      throw new Error('secret');
    },
  ],
  ['gives nothing', () => undefined],
  ['gives no tool', () => ({ definition })],
  ['gives a promise', () => Promise.resolve(leaf)],
  ['is no function', 'leaf'],
  ['is null', null],
];

test.each(broken)('an unwrap that %s is refused', (_, unwrap) => {
  const tool = Object.assign({ ...leaf }, { unwrap }) as Tool;
  expect(() => unwrapChain(tool)).toThrow(invalid);
});

test('an unwrap whose getter throws is refused', () => {
  const tool: Tool = {
    definition,
    call,
    get unwrap(): never {
      throw new Error('secret');
    },
  };
  expect(() => unwrapChain(tool)).toThrow(invalid);
});

const notTools: readonly (readonly [string, unknown])[] = [
  ['nothing', undefined],
  ['null', null],
  ['a function', () => leaf],
  ['a definition', definition()],
  ['a half', { definition }],
  ['data with the right names', { definition: {}, call: 'x' }],
  ['a revoked proxy', revoked()],
];

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

test.each(notTools)('%s is no tool', (_, value) => {
  expect(isTool(value)).toBe(false);
  expect(() => unwrapChain(value as Tool)).toThrow(expect.objectContaining({ code: 'tool/not-a-tool' }));
});

test('the outermost tool that has a capability wins', () => {
  const inner = wrap(leaf, { privileged: false });
  const outer = wrap(wrap(inner, { privileged: true }));
  const has = (tool: Tool): tool is Tool & { readonly privileged: boolean } => 'privileged' in tool;
  expect(capability(outer, has)?.privileged).toBe(true);
  expect(capability(inner, has)).toBe(inner);
  expect(capability(leaf, has)).toBeUndefined();
});

test('a capability of a broken chain is an error, not an absence', () => {
  const self: Tool = { definition, call, unwrap: () => self };
  expect(() => capability(self, (tool): tool is Tool => 'profile' in tool)).toThrow(invalid);
});
