import { readJson } from '@toolgate/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeBody } from './encode-body.ts';

test('half of a surrogate pair anywhere in a history does not make the request unreadable, and is told', () => {
  const { text, losses } = encodeBody({ messages: [{ content: 'ok \ud83d' }, { '\udc00': ['\udc00'] }] });
  expect(readJson(text)).toEqual({ messages: [{ content: 'ok \ufffd' }, { '\ufffd': ['\ufffd'] }] });
  expect(losses).toMatchObject([{ code: 'approximated', severity: 'warning' }]);
});

test('a text that only looks like an escape is sent as it is, without a loss', () => {
  const body = { content: 'write \\ud83d for half a 😀' };
  expect(encodeBody(body)).toEqual({ text: JSON.stringify(body), losses: [] });
});

test('whatever the texts are, the body is one that a strict reader takes', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })), (body) => {
      const { text } = encodeBody({ body, half: '\ud800' });
      expect(text.isWellFormed()).toBe(true);
      expect(() => readJson(text, { noncharacters: 'allow', forbiddenMembers: 'allow' })).not.toThrow();
    }),
  );
});
