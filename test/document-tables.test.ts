import { readFileSync } from 'node:fs';
import { agentErrorCodes, STOP_REASONS } from '@toolgate/agent';
import { controlErrorCodes } from '@toolgate/control';
import {
  contractErrorCodes,
  gateErrorCodes,
  JSON_ERROR_CODES,
  policyErrorCodes,
  REASONS,
  schemaErrorCodes,
} from '@toolgate/core';
import { auditKinds, gatewayErrorCodes } from '@toolgate/gateway';
import { mcpErrorCodes } from '@toolgate/mcp';
import { modelErrorCodes } from '@toolgate/model';
import { expect, test } from 'vitest';

function readPage(page: string): string {
  return readFileSync(new URL(`../docs/${page}`, import.meta.url), 'utf8');
}

/** First cells of all table rows that hold one word in backticks. */
function firstCells(page: string): readonly string[] {
  return firstCellsOf(readPage(page));
}

function firstCellsOf(text: string): readonly string[] {
  return [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell = '']) => cell);
}

test('every error code has exactly one row in docs/errors.md, and every row is a code', () => {
  const codes = [
    ...Object.keys(JSON_ERROR_CODES),
    ...schemaErrorCodes,
    ...contractErrorCodes,
    ...policyErrorCodes,
    ...gateErrorCodes,
    ...modelErrorCodes,
    ...agentErrorCodes,
    ...gatewayErrorCodes,
    ...controlErrorCodes,
    ...mcpErrorCodes,
  ];
  expect([...firstCells('errors.md')].sort()).toEqual([...codes].sort());
});

test('every kind of audit record has exactly one row in docs/audit.md', () => {
  const [, section = ''] = readPage('audit.md').split(/^## Kinds of records$/m);
  const [table = ''] = section.split(/^## /m);
  expect(firstCellsOf(table)).toEqual(expect.arrayContaining([...auditKinds]));
  expect(firstCellsOf(table)).toHaveLength(auditKinds.length);
});

test('every reason has exactly one row in docs/reasons.md, with its kind and its text for the model', () => {
  const text = readPage('reasons.md');
  expect([...firstCells('reasons.md')].sort()).toEqual(
    [...Object.keys(REASONS), ...Object.keys(STOP_REASONS)].sort(),
  );
  for (const [reason, entry] of Object.entries(REASONS)) {
    const said = 'text' in entry ? entry.text : '';
    expect(text).toContain(`| \`${reason}\` | ${entry.kind} | ${entry.when} | ${said}`);
  }
});
