import { expect, test } from 'vitest';
import { GROWTH, growth } from '../../../../test/support/growth.ts';
import { definesUnseenLink } from './unseen-link.ts';

test.each([
  '[//]: # (and more)',
  '[//]: # and more',
  '[a]: # "and more"',
  "[a]:   <#>  'and more'",
  '[x]: <> "and more"',
  '[x]:\n  #\n  "and\nmore"',
  '  [comment]: #',
  '[and more]: #',
  '[a]: https://example.org "and more"',
  '[a]: next (and more)',
  '[a \\] b]: /x "and more"',
  '> - [a]: /x "and more"',
  'See [a].\n\n[a]: /x\n[A]: /y "and more"',
])('%j defines a link of which something is not seen', (text) => {
  expect(definesUnseenLink(`Adds.\n\n${text}`)).toBe(true);
  expect(definesUnseenLink(`Adds.\r\n\r\n${text.replaceAll('\n', '\r\n')}\r\n\r\nMore.`)).toBe(true);
});

test.each([
  '[a]: #part',
  '[a] : # b',
  '[n]: # of results',
  '- [x]: done',
  '- [limit]: number (default 10), the most that is given',
  'Words [a]: # "b"',
  '[a]: https://example.org',
  '[a]: /x\n\n"Said."',
  '[a]: /x "not closed\n\nSaid."',
  'See [the page][a].\n\n[a]: https://example.org "A page"',
  '[1]: https://example.org "A page"\n\nSee [1].',
  '[a]: ["x", "y"]',
])('%j defines none', (text) => {
  expect(definesUnseenLink(`Adds.\n\n${text}`)).toBe(false);
});

test.each([
  '[a]: x (\n',
  '[a]: x "\n[b]: x \'\n',
  '[',
  '\n[a]:',
  '\n> > > > [',
  '[\\]',
  ' ',
  `\n[a]: ${'x'.repeat(40)}`,
])('a text made to be slow is looked at in linear time: %j', (piece) => {
  const texts = new Map([50, 50 * GROWTH].map((size) => [size, `${piece.repeat(size * 20)}]:`]));
  expect(growth((size) => void definesUnseenLink(texts.get(size) ?? ''), 50)).toBeLessThan(GROWTH * 4);
});
