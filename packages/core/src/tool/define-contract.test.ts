import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defineContract } from './define-contract.ts';
import { jsonOutput, structuredOutput, textOutput } from './make-output.ts';
import type { ToolCall } from './tool-call.ts';

const empty = defineContract({ name: 'list', description: '', inputSchema: { type: 'object' } });

test('the digest is that of the whole definition, whatever the order of its members', () => {
  const definition = { name: 'a', description: 'd', inputSchema: { type: 'object', title: 't' } };
  const digestOf = (more: object) => defineContract({ ...definition, ...more }).digest;
  expect(digestOf({ inputSchema: { title: 't', type: 'object' } })).toBe(digestOf({}));
  const others = [
    { name: 'b' },
    { description: 'D' },
    { title: '' },
    { inputSchema: { type: 'object', title: 'u' } },
    { outputSchema: {} },
    { annotations: { readOnlyHint: true } },
  ].map(digestOf);
  expect(new Set([...others, digestOf({})]).size).toBe(7);
  expect(digestOf({})).toMatch(/^sha256:[0-9a-f]{64}$/);
});

test('results are checked against the output schema, and only where there is one', () => {
  const outputSchema = { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] };
  const strict = defineContract({
    name: 'add',
    description: '',
    inputSchema: { type: 'object' },
    outputSchema,
  });
  expect(empty.checkOutput(textOutput('x'))).toBeUndefined();
  expect(strict.checkOutput(structuredOutput({ sum: 1 }))).toBeUndefined();
  expect(strict.checkOutput(structuredOutput({ sum: 'x' }))).toMatchObject([
    { pointer: '/sum', keyword: 'type' },
  ]);
  expect(strict.checkOutput(jsonOutput({ sum: 1 }))).toMatchObject([{ keyword: 'outputSchema' }]);
});

test('intake reports are given for both schemas', () => {
  const both = defineContract({
    name: 'a',
    description: '',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object' },
  });
  expect([both.intake.dialect, both.outputIntake?.dialect, empty.outputIntake]).toEqual([
    '2020-12',
    '2020-12',
    undefined,
  ]);
});

test('a validator that is injected rules on what the schema let pass', () => {
  const definition = { name: 'list', description: '', inputSchema: { type: 'object' } };
  const of = (validator: Parameters<typeof defineContract>[1]) => {
    const prepared = defineContract(definition, validator).prepare({
      id: 'c',
      name: 'list',
      arguments: '{"a":1}',
    });
    return prepared.ok ? 'admitted' : prepared.error;
  };
  expect(of({ validator: () => ({ kind: 'valid' }) })).toBe('admitted');
  expect(
    of({ validator: () => ({ kind: 'invalid', issues: [{ pointer: '/a', message: 'Give a larger a.' }] }) }),
  ).toMatchObject({
    reason: 'arguments_rejected',
    text: expect.stringContaining('Give a larger a.'),
  });
  const thrown = new Error('bug');
  expect(
    of({
      validator: () => {
        throw thrown;
      },
    }),
  ).toMatchObject({ reason: 'validator_defect', text: 'The call could not be checked.', cause: thrown });
});

test('an asynchronous validator is refused where it is declared', () => {
  const validator = (async () => ({ kind: 'valid' })) as unknown as () => { kind: 'valid' };
  expect(() => defineContract(empty.definition, { validator })).toThrow(
    expect.objectContaining({ code: 'tool/validator-invalid' }),
  );
  expect(() => defineContract(empty.definition, { validator: 'x' as never })).toThrow(
    expect.objectContaining({ code: 'tool/validator-invalid' }),
  );
});

test('a pattern engine that throws while it matches is a defect, never a pass', () => {
  const inputSchema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
  const patternEngine = {
    compile: () => ({
      test: (): boolean => {
        throw new Error('engine');
      },
    }),
  };
  const foreign = defineContract(
    { name: 'list', description: '', inputSchema },
    { trust: 'foreign', patternEngine },
  );
  expect(foreign.prepare({ id: 'c', name: 'list', arguments: '{"a":"a"}' })).toMatchObject({
    error: { reason: 'validator_defect' },
  });
});

test('a contract holds nothing that can be executed or changed', () => {
  expect(Object.isFrozen(empty)).toBe(true);
  expect(Reflect.ownKeys(empty)).toEqual([]);
  expect(() => Reflect.construct(Reflect.get(empty, 'constructor'), [])).toThrow();
});

const jsonish = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc.json().chain((text) => fc.nat(text.length).map((at) => text.slice(0, at))),
  fc
    .array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        '"',
        ':',
        ',',
        'amount',
        '1',
        '\\u',
        '\ud800',
        ' ',
        'null',
        '-',
        'e',
      ),
    )
    .map((all) => all.join('')),
);

test('no text makes prepare throw, and what is admitted reads back as the same value', () => {
  fc.assert(
    fc.property(jsonish, (text) => {
      const prepared = empty.prepare({ id: 'c', name: 'list', arguments: text });
      if (!prepared.ok) {
        expect(prepared.error.reason).toMatch(/^arguments_/);
        return;
      }
      const first = prepared.invocation.arguments();
      expect(prepared.invocation.arguments()).toEqual(first);
      expect(JSON.parse(prepared.invocation.argumentsText)).toEqual(JSON.parse(JSON.stringify(first)));
    }),
  );
});

test('no value in place of a call makes prepare throw or run', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true }), fc.anything(), (proposal, field) => {
      expect(empty.prepare(proposal as ToolCall).ok).toBe(false);
      expect(
        empty.prepare({ id: field, name: 'list', arguments: field, complete: field } as ToolCall).ok,
      ).toBe(false);
    }),
  );
});
