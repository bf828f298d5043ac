import type { JsonObject } from '@toolgate/core';
import { compileSchema } from '@toolgate/core';
import { expect, test } from 'vitest';
import { ask, at } from '../../test-support/admin.ts';
import { withGateway } from '../../test-support/gateway-fixture.ts';
import { servedRoutes } from '../../test-support/served-routes.ts';
import { endpoints } from './endpoints.ts';
import { openapiOf } from './openapi.ts';

const document = openapiOf(endpoints);
const operations = Object.entries(document['paths'] as Readonly<Record<string, JsonObject>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation: operation as JsonObject,
    })),
);

test('the document names every operation that is served, and no other', async () => {
  const served = (await servedRoutes())
    .filter(({ url }) => url.startsWith('/api/') && url !== '/api/openapi.json')
    .map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`);
  expect(served.length).toBeGreaterThan(15);
  expect(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
    served.sort(),
  );
});

test('operations have names of their own, parameters for their paths, and schemas that compile', () => {
  const names = operations.map(({ operation }) => operation['operationId']);
  expect(new Set(names).size).toBe(operations.length);
  for (const { operation, path } of operations) {
    const parameters = (operation['parameters'] ?? []) as readonly JsonObject[];
    const inPath = parameters.filter((each) => each['in'] === 'path').map((each) => each['name']);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    for (const { schema } of parameters) expect(() => compileSchema(schema as JsonObject)).not.toThrow();
    const body = at(operation, 'requestBody', 'content', 'application/json', 'schema');
    if (body !== undefined) expect(() => compileSchema(body as JsonObject)).not.toThrow();
    expect(Object.keys(operation['responses'] as JsonObject)).toEqual(
      expect.arrayContaining(['200', '401', '403'].slice(path === '/api/keys' ? 1 : 0)),
    );
  }
});

test('the document is served to whoever may use the API', async () => {
  await withGateway({ providers: {}, grants: { admin: true } }, async (gateway) => {
    expect(await ask(gateway, '/api/openapi.json')).toEqual({ status: 200, body: document });
  });
});
