import { expect, test } from 'vitest';
import { SchemaError } from '../schema/schema-error.ts';
import { schemaFault } from './schema-fault.ts';

test('the place and the words of a schema error are kept', () => {
  const cause = new SchemaError('schema/too-deep', 'nested too deep', { pointer: '/a' });
  expect(schemaFault('input', cause)).toMatchObject({
    code: 'tool/schema-invalid',
    pointer: '/a',
    message: 'The input of a tool cannot be used: nested too deep',
    cause,
  });
});

test('the words of any other error are not', () => {
  const cause = new Error('secret');
  expect(schemaFault('input', cause)).toMatchObject({
    message: 'The input of a tool cannot be used.',
    cause,
  });
});
