import { createGate, type JsonObject, type JsonValue, readJson } from '@toolgate/core';
import { McpError } from '../../src/mcp-error.ts';
import { type McpMount, mountMcp } from '../../src/mount/mount-mcp.ts';
import { createLogin, type Login } from './login.ts';

const MAX_LOGINS = 2;
const MAX_TRIES = 5;

interface Context {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly issuer?: string;
  readonly private_key_pem?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[];
}

const SAMPLES: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['number', 5],
  ['integer', 5],
  ['boolean', true],
  ['string', 'text'],
  ['array', []],
]);

/** A value that a schema takes, where its defaults do not say one. */
function sample(schema: JsonValue | undefined): JsonValue {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return null;
  const { type, properties, required } = schema as JsonObject;
  if (Object.hasOwn(schema, 'default')) return (schema as JsonObject)['default'] ?? null;
  if (type === 'object') return sampleObject(properties, required);
  return typeof type === 'string' ? (SAMPLES.get(type) ?? {}) : {};
}

function sampleObject(properties: JsonValue | undefined, required: JsonValue | undefined): JsonObject {
  const wanted = Array.isArray(required) ? required : [];
  const known = Object.entries(typeof properties === 'object' && properties !== null ? properties : {});
  return Object.fromEntries(
    known
      .filter(([name, schema]) => wanted.includes(name) || Object.hasOwn(Object(schema), 'default'))
      .map(([name, schema]) => [name, sample(schema as JsonValue)]),
  );
}

/** Whether the server had no time to answer, which is the suite's own process when the machine is busy. */
function isSlow(error: unknown): boolean {
  const cause = McpError.is(error) && error.code === 'mcp/unavailable' ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'REQUEST_TIMEOUT';
}

async function mountLoggedIn(url: string, revision: string, login: Login): Promise<McpMount> {
  let tries = 0;
  for (let logins = 0; ; ) {
    try {
      return await mountMcp({
        name: 'suite',
        transport: { kind: 'http', url, auth: login.provider, fetch: login.fetch },
        lock: 'off',
        protocol: revision === '2026-07-28' ? 'auto' : 'legacy',
        hooks: {
          elicit: async (params) => ({
            action: 'accept',
            content: sample(
              'requestedSchema' in params ? (params.requestedSchema as JsonValue) : {},
            ) as Record<string, string>,
          }),
        },
      });
    } catch (error) {
      tries += 1;
      if (login.begun() && logins < MAX_LOGINS) {
        logins += 1;
        await login.finish();
      } else if (!isSlow(error) || tries > MAX_TRIES) throw error;
    }
  }
}

async function callAll(mount: McpMount, login: Login, context: Context): Promise<readonly string[]> {
  const lines: string[] = [];
  const session = await createGate({ tools: mount.tools }).open();
  const calls =
    context.toolCalls ??
    session.definitions.map(({ name, inputSchema }) => ({
      name,
      // One scenario has a tool that gives back the schema that the client has read of another one.
      arguments:
        name === 'json_schema_echo'
          ? { schema: session.definitions.find((other) => other.name !== name)?.inputSchema ?? {} }
          : (sample(inputSchema) as JsonObject),
    }));
  for (let logins = 0; logins <= MAX_LOGINS; logins += 1) {
    const outcomes = await session.executeAll(
      calls.map((call, index) => ({
        id: `${logins}-${index}`,
        name: call.name,
        arguments: JSON.stringify(call.arguments),
      })),
    );
    for (const outcome of outcomes) {
      const text = outcome.kind === 'suspended' ? '' : outcome.output.text();
      lines.push(`${outcome.name}: ${outcome.reason} ${text}`);
    }
    if (!login.begun()) break;
    await login.finish();
  }
  await session.close();
  return lines;
}

/** What the suite says about one scenario. */
export interface ScenarioTask {
  readonly url: string;
  readonly revision: string;
  /** JSON. */
  readonly context: string;
}

/**
 * The client that the conformance suite is run against: it mounts the server that it is given and calls what the server
 * offers through a gate, logging in where it is asked to.
 *
 * @returns What came of each call, for the suite's records.
 */
export async function everythingClient({ url, revision, context: text }: ScenarioTask): Promise<string> {
  const context = readJson(text) as Context;
  const login = createLogin(url, context);
  const mount = await mountLoggedIn(url, revision, login);
  try {
    const lines = await callAll(mount, login, context);
    return [...lines, JSON.stringify(mount.report, undefined, 1)].join('\n');
  } finally {
    await mount.close();
  }
}
