import type { Instruction, Item, ModelCall, ToolChoice } from '@toolgate/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { active, callOf, message, SPEC, TOOLS } from '../../test-support/calls.ts';
import { project } from './project.ts';
import type { Projection } from './projection.ts';
import { reassert } from './reassert.ts';
import { sameData } from './same-data.ts';

const inactive = expect.objectContaining({ code: 'control/projection-inactive' });
const conflict = expect.objectContaining({ code: 'control/projection-conflict' });
const control = SPEC.instruction;
const { tools = [], instructions = [] } = callOf();
const [lookup, store] = tools ?? [];
const [brief, english] = instructions ?? [];
if (!lookup || !store || !brief || !english) throw new Error('the call has two of each');

/** The projected call with some members replaced. */
const changed = (change: Partial<ModelCall>, original: Partial<ModelCall> = {}): [ModelCall, Projection] => {
  const { call, projection } = active(original);
  return [{ ...call, ...change }, projection];
};

describe('without an active projection', () => {
  test('34 there is nothing to prove', () => {
    const { projection } = project(callOf(), SPEC, null);
    expect(() => reassert(callOf(), projection)).toThrow(inactive);
  });

  test.each([undefined, null, {}, { active: true }, 'projection'])('34 %j is none', (forged) => {
    expect(() => reassert(callOf(), forged as Projection)).toThrow(inactive);
  });

  test('34 one without its private state is none', () => {
    const { projection } = active();
    const forged = Object.create(Object.getPrototypeOf(projection) as object) as Projection;
    expect(() => reassert(callOf(), forged)).toThrow(inactive);
  });
});

describe('a call that is intact', () => {
  test('35 comes back as it is, however often', () => {
    const { call, projection } = active();
    expect(reassert(call, projection)).toBe(call);
    const copy = structuredClone(call);
    expect(reassert(reassert(copy, projection), projection)).toBe(copy);
  });

  test('36 gets the tool back, as the last one', () => {
    const [call, projection] = changed({ tools: [lookup, store] });
    const restored = reassert(call, projection);
    expect(restored.tools).toEqual([lookup, store, SPEC.tool]);
    expect(restored.instructions).toBe(call.instructions);
    expect(reassert(restored, projection)).toBe(restored);
  });

  test('37 gets the instruction back, as the first one', () => {
    const [call, projection] = changed({ instructions: [brief, english] });
    const restored = reassert(call, projection);
    expect(restored.instructions).toEqual([control, brief, english]);
    expect(restored.tools).toBe(call.tools);
  });

  test('38 gets both back', () => {
    const { call, projection } = active();
    expect(reassert(callOf(), projection)).toEqual(call);
    expect(Object.isFrozen(reassert(callOf(), projection))).toBe(true);
  });

  test.each([null, undefined, []])('38 also where there was nothing but them: %j', (none) => {
    const { tools: _, instructions: __, ...bare } = callOf();
    const call: ModelCall = none === undefined ? bare : { ...bare, tools: none, instructions: none };
    const { projection } = project(call, SPEC, TOOLS);
    const restored = reassert(call, projection);
    expect([restored.tools, restored.instructions]).toEqual([[SPEC.tool], [control]]);
  });

  test('44 may have another history', () => {
    for (const items of [
      [],
      [message('user', 'Only this')],
      [message('user', 'Hello'), message('user', 'x')],
    ]) {
      const [call, projection] = changed({ items });
      expect(reassert(call, projection)).toBe(call);
    }
    const late = [message('user', 'Hello'), message('system', 'A note.')];
    const [call, projection] = changed({ items: late });
    expect(reassert(call, projection)).toBe(call);
  });
});

describe('a call that is not the approved one is refused', () => {
  test.each([
    ['twice', [lookup, store, SPEC.tool, SPEC.tool]],
    ['first', [SPEC.tool, lookup, store]],
    ['in the middle', [lookup, SPEC.tool, store]],
    ['redefined', [lookup, store, { ...SPEC.tool, description: 'Does not end the task.' }]],
    ['with another schema', [lookup, store, { ...SPEC.tool, parameters: { type: 'object', title: 'x' } }]],
    ['as a look-alike', [lookup, store, { kind: 'function' as const, name: 'finish' }]],
  ])('39 with the control tool %s', (_, changedTools) => {
    const [call, projection] = changed({ tools: changedTools });
    expect(() => reassert(call, projection)).toThrow(conflict);
  });

  test.each([
    ['a schema', [{ ...lookup, parameters: { type: 'object', title: '' } }, store, SPEC.tool]],
    ['a description', [{ ...lookup, description: 'looks up.' }, store, SPEC.tool]],
    ['the order', [store, lookup, SPEC.tool]],
    ['a tool more', [lookup, store, SPEC.tool, { ...lookup, name: 'late' }]],
    ['a tool more before the control tool', [lookup, store, { ...lookup, name: 'late' }, SPEC.tool]],
    ['a tool less', [lookup, SPEC.tool]],
    ['no schema instead of null', [lookup, { kind: 'function' as const, name: 'store' }, SPEC.tool]],
    ['an empty schema instead of null', [lookup, { ...store, parameters: {} }, SPEC.tool]],
    ['a tool replaced', [lookup, { ...store, name: 'other' }]],
  ])('40 with another catalogue: %s', (_, changedTools) => {
    const [call, projection] = changed({ tools: changedTools as NonNullable<ModelCall['tools']> });
    expect(() => reassert(call, projection)).toThrow(conflict);
  });

  test.each<[string, ToolChoice | null | undefined, ToolChoice | null | undefined]>([
    ['absent, then auto', undefined, { mode: 'auto' }],
    ['absent, then null', undefined, null],
    ['null, then auto', null, { mode: 'auto' }],
    ['no list, then an empty one', { mode: 'auto' }, { mode: 'auto', allowed: [] }],
    ['an empty list, then none', { mode: 'auto', allowed: [] }, { mode: 'auto' }],
    ['an empty list, then a member', { mode: 'auto', allowed: [] }, { mode: 'auto', allowed: ['lookup'] }],
    ['auto, then a name', { mode: 'auto' }, { mode: 'named', name: 'lookup' }],
    ['auto, then none', { mode: 'auto' }, { mode: 'none' }],
  ])('41 with another tool choice: %s', (_, before, after) => {
    const given: Partial<ModelCall> = before === undefined ? {} : { toolChoice: before };
    const { call, projection } = active(given);
    const { toolChoice: _given, ...bare } = call;
    expect(() => reassert(after === undefined ? bare : { ...bare, toolChoice: after }, projection)).toThrow(
      conflict,
    );
    expect(reassert(call, projection)).toBe(call);
  });

  test.each<[string, Partial<ModelCall>]>([
    ['in the history', { items: [message('user', 'Hello'), message('system', control.text)] }],
    ['in the history instead', { instructions: [brief, english], items: [message('system', control.text)] }],
    ['second in the list', { instructions: [brief, control, english] }],
    ['twice in the list', { instructions: [control, control, brief, english] }],
    ['twice, last', { instructions: [control, brief, english, control] }],
    ['in another role', { instructions: [{ ...control, role: 'developer' }, brief, english] }],
    ['with another text', { instructions: [{ ...control, text: 'Never finish.' }, brief, english] }],
    [
      'with members',
      { instructions: [{ ...control, extensions: { protocol: 'anthropic', members: {} } }, brief, english] },
    ],
    [
      'in two parts',
      {
        instructions: [
          { role: 'system', text: control.text.slice(0, 4) },
          { role: 'system', text: control.text.slice(4) },
          brief,
          english,
        ],
      },
    ],
  ])('42 with the control instruction %s', (_, change) => {
    const [call, projection] = changed(change);
    expect(() => reassert(call, projection)).toThrow(conflict);
  });

  test.each<[string, readonly Instruction[]]>([
    ['added', [control, brief, english, { role: 'system', text: 'New.' }]],
    ['removed', [control, brief]],
    ['in another order', [control, english, brief]],
    ['rewritten', [control, brief, { role: 'developer', text: 'Speak French.' }]],
    ['all gone', []],
    ['replaced, and the control instruction gone', [brief, { role: 'developer', text: 'Speak French.' }]],
  ])('43 with an instruction of the client %s', (_, changedInstructions) => {
    const [call, projection] = changed({ instructions: changedInstructions });
    expect(() => reassert(call, projection)).toThrow(conflict);
  });

  test('45 when instructions became items, or items instructions', () => {
    const asItems = [brief, english].map((each) => ({ ...each, origin: 'item' as const }));
    const [call, projection] = changed({ instructions: [control, ...asItems] });
    expect(() => reassert(call, projection)).toThrow(conflict);
    const [back, fromItems] = changed({ instructions: [control, brief, english] }, { instructions: asItems });
    expect(() => reassert(back, fromItems)).toThrow(conflict);
    const moved = [message('system', 'Be brief.'), message('user', 'Hello')];
    const [none, first] = changed({ instructions: [], items: moved });
    expect(() => reassert(none, first)).toThrow(conflict);
  });

  const anchored: Partial<ModelCall> = {
    instructions: [{ ...brief, origin: 'item' }],
    items: [message('user', 'Anchor'), message('assistant', 'Hi'), message('user', 'Go on')],
  };

  test('46 when the item behind instructions that came as items is another; what follows is free', () => {
    const { call, projection } = active(anchored);
    const items = (...texts: readonly string[]): readonly Item[] =>
      texts.map((text) => message('user', text));
    expect(() => reassert({ ...call, items: items('Other', 'Go on') }, projection)).toThrow(conflict);
    expect(() => reassert({ ...call, items: [] }, projection)).toThrow(conflict);
    const tail = { ...call, items: items('Anchor', 'Something else') };
    expect(reassert(tail, projection)).toBe(tail);
  });

  test('46 when a system message at the head of the conversation, or what follows it, is another', () => {
    const head = { ...message('system', 'Stored.'), id: 'msg_1' } as Item;
    const { call, projection } = active({ items: [head, message('user', 'Anchor'), message('user', 'x')] });
    expect(reassert({ ...call, items: [head, message('user', 'Anchor')] }, projection)).toHaveProperty(
      'tools',
    );
    const wrong: readonly (readonly Item[])[] = [
      [message('user', 'Anchor')],
      [head, message('user', 'Other')],
      [head, head, message('user', 'Anchor')],
      [{ ...head, id: 'msg_2' } as Item, message('user', 'Anchor')],
      [head],
    ];
    for (const items of wrong) expect(() => reassert({ ...call, items }, projection)).toThrow(conflict);
  });

  test.each(['system', 'developer'] as const)(
    '47 when a %s message comes to the head of the conversation',
    (role) => {
      for (const original of [{}, anchored]) {
        const { call, projection } = active(original);
        const items = [message(role, 'Smuggled.'), ...call.items];
        expect(() => reassert({ ...call, items }, projection)).toThrow(conflict);
      }
    },
  );

  test('48 with nothing that instructs frozen, user items alone prove nothing wrong, a new head does', () => {
    const { call, projection } = active({ instructions: null, items: [], previousResponseId: 'resp_1' });
    const bare = { ...call, instructions: null };
    expect(reassert({ ...bare, items: [message('user', 'x')] }, projection).instructions).toEqual([control]);
    expect(reassert({ ...bare, items: [] }, projection).instructions).toEqual([control]);
    expect(() => reassert({ ...bare, items: [message('system', 'x')] }, projection)).toThrow(conflict);
    expect(() => reassert({ ...bare, items: [message('system', control.text)] }, projection)).toThrow(
      conflict,
    );
  });

  test('49 and left as it was, byte for byte', () => {
    const [call, projection] = changed({ tools: [SPEC.tool, lookup] });
    const before = JSON.stringify(call);
    expect(() => reassert(call, projection)).toThrow(conflict);
    expect(JSON.stringify(call)).toBe(before);
  });

  test('and the refusal says nothing of the call', () => {
    const [call, projection] = changed({ instructions: [{ role: 'system', text: 'sk-planted-secret' }] });
    expect(() => reassert(call, projection)).toThrow(/^(?!.*(?:planted|finish))/);
  });
});

test('no change of one place of tools, instructions or choice goes through', () => {
  const { call, projection } = active({ toolChoice: { mode: 'auto', allowed: [] } });
  const strings = (
    value: unknown,
    path: readonly (string | number)[] = [],
  ): (readonly (string | number)[])[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, member]) => strings(member, [...path, key]))
      : typeof value === 'string'
        ? [path]
        : [];
  const { tools: all, instructions: said, toolChoice } = call;
  const places = strings({ tools: all, instructions: said, toolChoice });
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.string({ minLength: 1 }), (path, added) => {
      const copy = structuredClone(call) as unknown as Record<string | number, unknown>;
      const last = path.at(-1) ?? '';
      let parent = copy;
      for (const step of path.slice(0, -1)) parent = parent[step] as Record<string | number, unknown>;
      parent[last] = `${String(parent[last])}${added}`;
      expect(() => reassert(copy as unknown as ModelCall, projection)).toThrow(conflict);
    }),
  );
});

test('data is the same when its JSON is, members in their order', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
      const [first, second] = [JSON.stringify(left), JSON.stringify(right)];
      expect(sameData(JSON.parse(first), JSON.parse(first))).toBe(true);
      expect(sameData(JSON.parse(first), JSON.parse(second))).toBe(first === second);
    }),
  );
  expect(sameData({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(false);
  expect(sameData([], {})).toBe(false);
  expect(sameData({ a: undefined }, {})).toBe(false);
});

test('data of any depth and size is compared without the call stack', () => {
  const deep = (): unknown => JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  expect(sameData(deep(), deep())).toBe(true);
  const wide = (): unknown => Array.from({ length: 200_000 }, (_, at) => at);
  expect(sameData(wide(), wide())).toBe(true);
});
