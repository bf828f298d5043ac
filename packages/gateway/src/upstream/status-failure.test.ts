import { describe, expect, test } from 'vitest';
import { statusFailure } from './status-failure.ts';

function refusalOf(status: number, body: unknown) {
  const bytes = Buffer.from(JSON.stringify(body));
  return statusFailure({ status, headers: {}, body: bytes, secrets: ['hush-hush-12345'], now: 0 }).refusal;
}

describe('what a provider says against a request', () => {
  test.each<[string, unknown, string]>([
    [
      'its place and words',
      [{ loc: ['body', 'tools', 0, 'name'], msg: 'Field required', input: 'VALUE' }],
      'body.tools.0.name: Field required',
    ],
    ['words without a place', [{ msg: 'Not good' }, { loc: [{}], msg: 'Nor this' }], 'Not good; Nor this'],
    [
      'the first three of many',
      Array.from({ length: 9 }, (_, at) => ({ loc: [at], msg: 'no' })),
      '0: no; 1: no; 2: no',
    ],
    [
      'nothing that is no fault',
      ['x', null, { msg: 1 }, { loc: ['a'], msg: 'key hush-hush-12345' }].slice(3),
      'a: key [redacted]',
    ],
  ])('is quoted from a list of faults: %s', (_, detail, said) => {
    const { code, message, status } = refusalOf(422, { detail });
    expect({ code, status }).toEqual({ code: 'upstream_refused', status: 422 });
    expect(message.endsWith(`It says: ${said}`)).toBe(true);
    expect(message).not.toContain('VALUE');
  });

  test('is quoted behind the mark of a byte order', () => {
    const body = Buffer.from('\ufeff{"error":{"message":"Not good"}}');
    const { refusal } = statusFailure({ status: 400, headers: {}, body, secrets: [], now: 0 });
    expect(refusal.message).toContain('It says: Not good');
  });

  test('is nothing where the list says nothing', () => {
    for (const detail of [[], ['x', null, { msg: 1 }], {}]) {
      expect(refusalOf(422, { detail }).message).toBe('The provider refused the request.');
    }
  });
});

describe('an account that is refused rests', () => {
  const restOf = (status: number, body: unknown): number | undefined =>
    statusFailure({ status, headers: {}, body: Buffer.from(JSON.stringify(body)), secrets: [], now: 0 })
      .retryAfterMs;

  test.each<[string, number, unknown]>([
    ['by its status', 401, {}],
    ['by the word of a bad request', 400, { error: { code: 'invalid_api_key' } }],
    ['by a reason', 400, { error: { details: [{ reason: 'API_KEY_INVALID' }] } }],
    ['by the word of a rate', 429, { error: { type: 'exceeded_current_quota_error', code: null } }],
    ['by the word of a refusal', 400, { error: { code: 'insufficient_quota' } }],
  ])('%s', (_, status, body) => {
    expect(restOf(status, body)).toBe(60_000);
  });

  test('but not for a rate that passes', () => {
    expect(restOf(429, { error: { code: 'rate_limit_exceeded', type: 'requests' } })).toBeUndefined();
  });

  test.each<[string, number, string]>([
    ['a model', 404, 'The model `incorrect api key` does not exist'],
    ['a member', 400, 'invalid api key: Extra inputs are not permitted'],
  ])('but not because a client calls %s like that', (_, status, message) => {
    expect(restOf(status, { error: { message } })).toBeUndefined();
  });
});
