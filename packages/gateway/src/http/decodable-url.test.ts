import { expect, test } from 'vitest';
import { ask } from '../../test-support/admin.ts';
import { withGateway } from '../../test-support/gateway-fixture.ts';
import { post } from '../../test-support/post.ts';
import { decodableUrl } from './decodable-url.ts';

test.each([
  ['/v1/models/a%2Fb', '/v1/models/a%2Fb'],
  ['/v1/models/%ff?x=%ff', '/v1/models/%25ff?x=%ff'],
  ['/%61pi/%zz#%', '/%2561pi/%25zz#%'],
  ['/ok?x=%', '/ok?x=%'],
])('%s is read as %s', (url, read) => {
  expect(decodableUrl(url)).toBe(read);
});

const LONG = 'planted'.repeat(100);

test.each([
  ['an id that is no text', '/api/approvals/%ff'],
  ['a model that is no text', '/v1/models/%planted'],
  ['no path', '/%'],
  ['a long id', `/api/approvals/${LONG}`],
  ['a long model', `/v1/models/${LONG}`],
])('nothing about %s is said past the checks, and the path is not repeated', async (_, path) => {
  await withGateway({ providers: {}, grants: { admin: true } }, async (gateway) => {
    const address = `${gateway.url}${path}`;
    const foreign = await post(address, '', { method: 'GET', headers: { host: 'evil.example' } });
    expect([foreign.status, foreign.body]).toEqual([403, expect.stringContaining('host_forbidden')]);
    const stranger = await post(address, '', { method: 'GET', key: '' });
    const owner = await ask(gateway, path);
    expect([stranger.status, owner.status]).toEqual([path === '/%' ? 404 : 401, 404]);
    expect(stranger.headers['x-request-id']).toBeDefined();
    expect(stranger.body + JSON.stringify(owner.body)).not.toMatch(/planted|FST_/);
  });
});
