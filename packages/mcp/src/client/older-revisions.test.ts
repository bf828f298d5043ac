import { ProtocolError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { olderRevisions } from './older-revisions.ts';

const http = (status: number, text: string) =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'x', { status, statusText: 'x', text });
const all = ['2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

test.each<[string, unknown, readonly string[] | undefined]>([
  [
    'in a list',
    new ProtocolError(-32_602, 'Unsupported protocol version', { supported: ['2024-11-05', '2025-06-18'] }),
    ['2025-06-18', '2024-11-05'],
  ],
  [
    'in words',
    new ProtocolError(-32_602, 'Unsupported protocol version: 2025-11-25. Supported: 2024-11-05'),
    ['2024-11-05'],
  ],
  [
    'in the body of a state of 400',
    http(400, '{"error":"protocolVersion: only 2025-03-26"}'),
    ['2025-03-26'],
  ],
  ['not at all', new ProtocolError(-32_602, 'Invalid protocol version'), all],
  ['but none that is known', new ProtocolError(-32_602, 'protocolVersion must be 2023-01-01'), undefined],
  ['about something else', new ProtocolError(-32_602, 'Since 2024-11-05 there are no tools.'), undefined],
  ['with a state of failure', http(500, 'Unsupported protocol version'), undefined],
  ['by breaking', new Error('Unsupported protocol version'), undefined],
])('a refusal that names revisions %s', (_what, error, revisions) => {
  expect(olderRevisions(error)).toEqual(revisions);
});
