import { describe, expect, test } from 'vitest';
import { formatTable } from './format-table.ts';

const paint = (_tone: string, text: string): string => text;
const columns = [{ title: 'NAME' }, { title: 'SIZE', align: 'right' }] as const;

describe('a table', () => {
  test('has columns as wide as their widest text, and no white space at the ends of lines', () => {
    const rows = [
      [{ text: 'a' }, { text: '1' }],
      [{ text: 'longer' }, { text: '1,000' }],
    ];
    expect(formatTable(columns, rows, { paint, width: undefined })).toBe(
      'NAME     SIZE\na           1\nlonger  1,000\n',
    );
  });

  test('cuts the first column to the width of the terminal, and nothing else', () => {
    const rows = [[{ text: 'a-very-long-name-of-a-tool' }, { text: '1' }]];
    const table = formatTable(columns, rows, { paint, width: 20 });
    expect(table.split('\n').map((line) => line.length)).toEqual([20, 20, 0]);
    expect(table).toContain('a-very-long-n…');
  });

  test('counts characters as a person does when it cuts', () => {
    const rows = [[{ text: '👩‍👩‍👧‍👦'.repeat(30) }, { text: '1' }]];
    const [, line = ''] = formatTable(columns, rows, { paint, width: 20 }).split('\n');
    expect([...new Intl.Segmenter().segment(line)]).toHaveLength(20);
    expect(line.isWellFormed()).toBe(true);
  });

  test('a row with fewer cells than columns ends early', () => {
    expect(formatTable(columns, [[{ text: 'refused' }]], { paint, width: undefined })).toBe(
      'NAME     SIZE\nrefused\n',
    );
  });

  test('a style is around the text, not around its padding', () => {
    const marked = (tone: string, text: string): string => (tone === 'good' ? `<${text}>` : text);
    const rows = [[{ text: 'a', tone: 'good' as const }, { text: '1' }]];
    expect(formatTable(columns, rows, { paint: marked, width: undefined })).toContain('<a>        1\n');
  });
});
