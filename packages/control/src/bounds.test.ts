import { expect, test } from 'vitest';
import * as bounds from './bounds.ts';

test('the bounds are those of the contract', () => {
  expect({ ...bounds }).toEqual({
    DEFAULT_MAX_ARGS_BYTES: 65_536,
    MAX_CONTROL_CALLS: 16,
    MAX_DESCRIPTION_BYTES: 32_768,
    MAX_IDENTIFIER_BYTES: 256,
    MAX_INSTRUCTION_BYTES: 65_536,
    MAX_JSON_DEPTH: 64,
    MAX_PARAMETERS_BYTES: 262_144,
    MAX_PROVIDER_ID_BYTES: 128,
    MAX_REASON_CODE_BYTES: 64,
    MAX_RESULT_TEXT_BYTES: 65_536,
    MAX_TOOL_NAME_BYTES: 256,
  });
});
