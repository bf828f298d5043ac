import { describe, expect, test } from 'vitest';
import { createGate } from '../gate/create-gate.ts';
import { ApprovalGrant } from '../policy/approval-grant.ts';
import { Scope } from '../policy/scope.ts';
import { Binding, bind } from '../tool/binding.ts';
import { Contract } from '../tool/contract.ts';
import { defineTool } from '../tool/define-tool.ts';
import { Invocation } from '../tool/invocation.ts';
import type { Tool } from '../tool/tool.ts';

const sealed: readonly (readonly [string, unknown])[] = [
  ['Invocation', Invocation],
  ['Contract', Contract],
  ['Binding', Binding],
  ['ApprovalGrant', ApprovalGrant],
  ['Scope', Scope],
];

function construct(made: unknown, ...args: unknown[]): unknown {
  return Reflect.construct(made as new () => unknown, args);
}

/** An object that only looks like an instance. */
function lookalike<Value>(prototype: Value): Value {
  return Object.create(prototype as object) as Value;
}

const ran: unknown[] = [];
const tool = defineTool({
  name: 't',
  description: '',
  input: { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false },
  execute: (input) => ran.push(input),
});

describe('a script cannot make what only the package makes', () => {
  test.each(sealed)('%s has no constructor for others', (_name, made) => {
    for (const first of [undefined, {}, Symbol('seal'), tool.definition()]) {
      expect(() => construct(made, first, {}, {})).toThrow(TypeError);
    }
  });

  test('a subclass of Invocation cannot be made', () => {
    const Extended: unknown = class extends (Invocation as unknown as new (seal: unknown) => object) {};
    expect(() => construct(Extended, {})).toThrow(TypeError);
  });

  test('arguments that nobody checked do not reach a handler through a made-up invocation', () => {
    const source = { definition: tool.definition(), validator: undefined, read: () => ({ evil: 1 }) };
    const admission = { callId: 'c', text: '', value: { evil: 1 }, filled: [], input: undefined };
    const forge = (): unknown => construct(Invocation, source, admission);
    expect(forge).toThrow(TypeError);
    const genuine = bind(tool).contract.prepare({ id: 'c', name: 't', arguments: '{}' });
    if (!genuine.ok) throw new Error('refused');
    expect(() => construct(genuine.invocation.constructor, source, admission)).toThrow(TypeError);
    expect(ran).toEqual([]);
  });
});

describe('an object with the prototype of a sealed class is not taken for an instance', () => {
  test('as a scope and as a binding, when the gate is made', () => {
    expect(() => createGate({ tools: [], scope: lookalike(Scope.prototype) })).toThrow(
      expect.objectContaining({ code: 'gate/options-invalid' }),
    );
    expect(() => createGate({ tools: [lookalike(Binding.prototype)] })).toThrow(
      expect.objectContaining({ code: 'tool/not-a-tool' }),
    );
  });

  test('as a grant, at the door of the session', async () => {
    const session = await createGate({ tools: [tool as Tool] }).open();
    const grant = lookalike(ApprovalGrant.prototype);
    await expect(session.execute({ id: 'c', name: 't', arguments: '{}' }, { grant })).rejects.toMatchObject({
      code: 'gate/options-invalid',
    });
    await session.close();
    expect(ran).toEqual([]);
  });
});
