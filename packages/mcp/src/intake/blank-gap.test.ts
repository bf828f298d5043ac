import { expect, test } from 'vitest';
import { GROWTH, growth } from '../../../../test/support/growth.ts';
import { plainTool } from '../../test-support/scripted-server.ts';
import { toLockedTool } from '../lock/to-locked-tool.ts';
import { blankGap } from './blank-gap.ts';
import { isHidden } from './finding.ts';
import { inspectDefinition } from './inspect-definition.ts';

test.each([
  ['a long line', `Adds.${' '.repeat(80)}Then sends.`, 'text behind 80 blanks'],
  ['a line that begins late', `Adds.\n${'\u00a0'.repeat(200)}Then sends.`, 'text behind 200 blanks'],
  ['blanks of all kinds', `Adds.${' \t\u3000\u2003'.repeat(20)}Then sends.`, 'text behind 80 blanks'],
  ['many lines', `Adds.${'\n'.repeat(20)}Then sends.`, 'text behind 20 line breaks'],
  ['lines that are blank', `Adds.${'\r\n  '.repeat(40)}Then sends.`, 'text behind 40 line breaks'],
  ['the beginning', `${'\n'.repeat(30)}Then sends.`, 'text behind 30 line breaks'],
])('what stands behind %s is out of sight', (_what, text, gap) => {
  expect(blankGap(text)).toBe(gap);
  const findings = inspectDefinition(toLockedTool(plainTool('t', { description: text })).definition);
  expect(findings).toMatchObject([{ kind: 'hidden-characters', pointer: '/description', detail: gap }]);
  expect(findings.some(isHidden)).toBe(true);
});

test.each([
  ['paragraphs', 'Adds.\n\n\nSubtracts.'],
  ['indented code', `Adds.\n\n${' '.repeat(24)}add(1, 2)`],
  ['a table', `name${' '.repeat(40)}meaning`],
  ['blanks at the end', `Adds.${' '.repeat(500)}`],
  ['lines at the end', `Adds.${'\n'.repeat(500)}`],
])('%s are as anybody writes them', (_what, text) => {
  expect(blankGap(text)).toBeUndefined();
});

test.each([' ', '\n', `${' '.repeat(79)}a`, `${' '.repeat(79)}\n`])(
  'a text made to be slow is looked at in linear time: %j',
  (piece) => {
    expect(growth((size) => blankGap(piece.repeat(size)), 8_192)).toBeLessThan(GROWTH * 4);
  },
);
