import type { JsonObject, JsonValue } from '@toolgate/core';
import type { AdminEndpoint } from './admin-endpoint.ts';

const PARAMETER = /:([a-z]+)/gi;

const ERROR: JsonObject = {
  description: 'A refusal.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
};

/** The statuses that every address may answer. */
const COMMON: Readonly<Record<string, JsonObject>> = {
  400: ERROR,
  401: ERROR,
  403: ERROR,
  404: ERROR,
  503: ERROR,
};

/** The OpenAPI 3.1 document of the admin API, made of the endpoints that are served. */
export function openapiOf(endpoints: readonly AdminEndpoint[]): JsonObject {
  const paths: Record<string, Record<string, JsonValue>> = {
    '/api/approvals/events': {
      get: {
        operationId: 'watchApprovals',
        summary: 'Changes of approvals as server-sent events; a snapshot of the pending ones comes first.',
        parameters: [{ name: 'Last-Event-ID', in: 'header', schema: { type: 'string' } }],
        responses: { 200: { description: 'A stream of text/event-stream.' }, ...COMMON },
      },
    },
  };
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(PARAMETER, '{$1}');
    const methods = paths[path] ?? {};
    methods[endpoint.method.toLowerCase()] = operationOf(endpoint);
    paths[path] = methods;
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Toolgate admin API', version: '1' },
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Refusal: {
          type: 'object',
          properties: {
            error: {
              type: 'object',
              properties: {
                code: { type: 'string' },
                message: { type: 'string' },
                requestId: { type: 'string' },
                pointer: { type: 'string' },
              },
              required: ['code', 'message', 'requestId'],
            },
          },
          required: ['error'],
        },
      },
    },
  };
}

function operationOf({
  answers,
  body,
  bodyOptional,
  operation,
  path,
  query = {},
  summary,
}: AdminEndpoint): JsonObject {
  const parameters: JsonObject[] = [
    ...[...path.matchAll(PARAMETER)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...Object.entries(query).map(([name, schema]) => ({ name, in: 'query', schema })),
  ];
  const own = Object.entries(answers).map(([status, description]) => [status, { description }]);
  return {
    operationId: operation,
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: !bodyOptional, content: { 'application/json': { schema: body } } } }),
    responses: { ...COMMON, ...(Object.fromEntries(own) as JsonObject) },
  };
}
