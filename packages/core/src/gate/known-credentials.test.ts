import { describe, expect, test } from 'vitest';
import { GROWTH, growth } from '../../../../test/support/growth.ts';
import { createRedactor } from './redactor.ts';

const redact = createRedactor();
const body = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF';
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${`${body}\n`.repeat(20)}-----END RSA PRIVATE KEY-----`;

describe('a redactor replaces, whoever they belong to,', () => {
  test.each([
    ['a key of a model provider', `sk-proj-${body}`],
    ['a key of another one', `sk-ant-api03-${body}_-${body}`],
    ['a key for payments', `sk_live_${body}`],
    ['a token of a code host', `ghp_${body}`],
    ['a finer token', `github_pat_11AB_${body}`],
    ['a token of another code host', `glpat-${body}`],
    ['a key of a third provider', `xai-${body}${body}`],
    ['a key of a provider of searches', `pplx-${body}${body}`],
    ['a key of a provider of chips', `nvapi-${body}_-${body}`],
    ['a token of an app in a chat', `xapp-1-A0B1-1234-${body}`],
    ['a token of another registry', `pypi-${body}${body}`],
    ['a key of a provider of models', `gsk_${body}`],
    ['a token of a place for models', `hf_${body}`],
    ['a token of a place to run them', `r8_${body}`],
    ['a key of another provider of searches', `tvly-${body}`],
    ['a token of a session in a cloud', `ya29.${body}`],
    ['a token of a smaller cloud', `dop_v1_${'0a'.repeat(32)}`],
    ['a token of a vault', `hvs.${body}`],
    ['a secret of webhooks', `whsec_${body}`],
    ['a token of a shop', `shpat_${'0a'.repeat(16)}`],
    ['a key of a sender of mail', `SG.${body}.${body}`],
    ['a token of dashboards', `glsa_${body}`],
    ['a key of a tracker', `lin_api_${body}`],
    ['a token of a tool for drawings', `figd_${body}`],
    ['a token of a tool for notes', `ntn_${body}`],
    ['a token of a host of databases', `sbp_${'0a'.repeat(20)}`],
    ['a token of a registry of images', `dckr_pat_${body}`],
    ['a token of a chat', 'xoxb-123456789012-abcDEF'],
    ['an access key of a cloud', 'AKIAIOSFODNN7EXAMPLE'],
    ['an access key without a digit', 'ASIAQWERTYUIOPASDFGH'],
    ['a key in the pieces of an id', 'sk-lf-12ab34cd-12ab-34cd-56ef-0123456789ab'],
    ['a key of another cloud', `AIza${body}abc`],
    ['a token of a registry', `npm_${body}abcd`],
    ['a JSON Web Token', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0abc.${body}`],
    ['a private key', pem],
    [
      'a private key that is encrypted',
      pem.replace('\n', '\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A\n\n'),
    ],
    ['a private key that is cut off', pem.slice(0, 300)],
  ])('%s', (_, secret) => {
    for (const write of [
      (text: string) => text,
      (text: string) => `the key is "${text}"`,
      (text: string) => JSON.stringify({ key: text, then: 1 }),
      (text: string) => `KEY=${text}\n`,
      (text: string) => JSON.stringify(`a\n${text}`),
      (text: string) => `<\\u0022${text}`,
      (text: string) => JSON.stringify([JSON.stringify({ text })]),
    ]) {
      const { text, count } = redact(write(secret));
      expect(count).toBe(1);
      expect(text).toContain('[redacted]');
      expect(text).not.toContain(body);
      expect(text).not.toContain(secret);
    }
  });

  test.each([
    [
      'https://s.example/f?X-Amz-Signature=0a1b2c3d4e5f&part=1',
      'https://s.example/f?X-Amz-Signature=[redacted]&part=1',
    ],
    ['https://s.example/?a=1&api_key=0a1b2c3d4e5f', 'https://s.example/?a=1&api_key=[redacted]'],
    ['"https://s.example/f?sig=AbC%2Fd12345"', '"https://s.example/f?sig=[redacted]"'],
  ])('what opens an address: %s', (text, redacted) => {
    expect(redact(text)).toEqual({ text: redacted, count: 1 });
  });
});

test('a key whose lines were joined is one still', () => {
  const text = `-----BEGIN RSA PRIVATE KEY----- Proc-Type: 4,ENCRYPTED DEK-Info: AES-128-CBC,${'9F'.repeat(16)} ${body} -----END RSA PRIVATE KEY-----`;
  expect(redact(text)).toEqual({ text: '[redacted]', count: 1 });
});

test('what stands around a key stays', () => {
  const text = `before ${pem} between ${pem} and after`;
  expect(redact(text)).toEqual({ text: 'before [redacted] between [redacted] and after', count: 2 });
});

test.each([
  'a task-force-that-goes-on-and-on and sk-learn-and-other-words-of-the-trade',
  'https://api.example/items?page_token=aB3dE6gH9jK2mN5pQ8sT&token=next&key=value',
  'CONSTRAINT pk_order_items_history_2024 PRIMARY KEY, rk_customer_2_orders_by_day, sk-learn-version-1-2-3-compat',
  'the class AKIA and the prefix ghp_, eyJ.eyJ.x, npm_config_registry, hf_hub_download',
  'It looks for -----BEGIN PRIVATE KEY----- and for -----END PRIVATE KEY----- in the text.',
  '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
  'sha256:d146c4f889805326d307162b7a44b2c28b82daee5cf6b2f669cb2697253d0d66',
  '123e4567-e89b-12d3-a456-426614174000',
])('%s stays as it is', (text) => {
  expect(redact(text)).toEqual({ text, count: 0 });
});

test.each([
  'sk-',
  'eyJ',
  'eyJ-',
  'eyJ_a.',
  'eyJaaaaaaaaaaaa.',
  'gh',
  '?sig=',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN ',
  `-----BEGIN PRIVATE KEY-----\n${'a'.repeat(16)}\n`,
  '-----BEGIN PRIVATE KEY-----\\n ',
  'sk-aaaaaaaaaaaaaaaaaaaaa ',
  `-----BEGIN PRIVATE KEY-----Proc-Type:${' '.repeat(173)}`,
  ...['Proc-Type:', 'DEK-Info: ', ' Proc-Type:\n', 'Proc-Type:\\n'],
])('text that looks like many beginnings is read in linear time: %j', (piece) => {
  const start = piece.includes('-Type') || piece.includes('DEK-') ? '-----BEGIN PRIVATE KEY-----' : '';
  const read = (size: number) => redact(start + piece.repeat(size));
  expect(growth(read, 1_000)).toBeLessThan(GROWTH * 4);
});
