import type { JsonObject, JsonValue } from '@toolgate/core';

const closed = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
});
const list = (items: JsonValue, maxItems = 1_000): JsonObject => ({ type: 'array', items, maxItems });
const oneOf = (...words: readonly string[]): JsonObject => ({ enum: words });
const count = (maximum: number, minimum = 1): JsonObject => ({ type: 'integer', minimum, maximum });
const described = (description: string, schema: JsonObject): JsonObject => ({ description, ...schema });
const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });

const DAY_MS = 86_400_000;
const flag: JsonObject = { type: 'boolean' };
/** May hold `${env:NAME}`. */
const text: JsonObject = { type: 'string', minLength: 1, maxLength: 8_192 };

const grants: JsonObject = {
  tools: ref('toolRules'),
  routes: described('Names of routes. Default: all.', ref('access')),
  servers: described('Names of MCP servers. Default: none.', ref('access')),
  limits: closed({ requestsPerMinute: count(10_000_000), concurrency: count(100_000) }),
};

const definitions: JsonObject = {
  text,
  name: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,127}$' },
  serverName: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$' },
  toolName: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
  pattern: described('An exact name, or one with * for any run of characters.', {
    type: 'string',
    pattern: '^[!-~]{1,256}$',
  }),
  class: oneOf('unclassified', 'read', 'write', 'external'),
  access: { anyOf: [{ const: 'all' }, list(ref('pattern'))] },
  texts: { type: 'object', additionalProperties: ref('text'), maxProperties: 100 },
  toolRules: closed({
    default: described('What happens to tools that no list names. Default: deny.', oneOf('allow', 'deny')),
    allow: list(ref('toolName')),
    deny: list(ref('toolName')),
  }),
  classes: described(
    'Classes of tools, the first match counts. Tools that none matches are external, the highest class.',
    list(closed({ tool: ref('pattern'), class: ref('class') }, ['tool', 'class'])),
  ),
  key: closed(
    {
      id: ref('name'),
      principal: described('Who the holder is. Default: the id.', {
        type: 'string',
        pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]{1,128}$',
      }),
      key: described('The key itself, best taken from the environment; at least 16 characters.', ref('text')),
      digest: described('SHA-256 of the key.', { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' }),
      admin: described('Whether the admin API may be used. Default: false.', flag),
      ...grants,
    },
    ['id'],
  ),
  provider: closed(
    {
      protocol: oneOf('openai-chat', 'openai-responses', 'anthropic', 'gemini'),
      baseUrl: described("Default: where the protocol's owner serves it.", ref('text')),
      apiKey: ref('text'),
      headers: ref('texts'),
      maxTokensField: described(
        'The one name under which an OpenAI Chat server knows the limit of an answer. Default: as the client says it.',
        oneOf('max_tokens', 'max_completion_tokens'),
      ),
      timeouts: closed({
        connectMs: described('Milliseconds. Default: 10000.', count(DAY_MS)),
        firstByteMs: described(
          'From the request to the first byte of the answer, in milliseconds. Default: 120000.',
          count(DAY_MS),
        ),
        idleMs: described(
          'From one piece of the answer to the next, in milliseconds. Default: 60000.',
          count(DAY_MS),
        ),
        totalMs: described('Of the whole exchange, in milliseconds. Default: 900000.', count(DAY_MS)),
      }),
    },
    ['protocol'],
  ),
  firewall: closed({
    mode: described('observe lets everything pass. Default: enforce.', oneOf('enforce', 'observe')),
    scope: closed({ allow: list(ref('toolName')), deny: list(ref('toolName')) }),
    classes: ref('classes'),
    approve: {
      anyOf: [
        { const: 'none' },
        closed({
          threshold: described(
            'Calls of this class and above need a yes. Default: every call, unless tools are named.',
            ref('class'),
          ),
          tools: list(ref('pattern')),
          lifetimeMs: described(
            'How long a decision may take, in milliseconds. Default: that of approvals.',
            count(365 * DAY_MS),
          ),
        }),
      ],
    },
    onRefusal: described(
      'A fixed text stands for a refused call, or the model is told and tries again. Default: replace.',
      oneOf('replace', 'feedback'),
    ),
    maxRounds: described('How often the model may try again after refusals. Default: 2.', count(8)),
  }),
  route: closed(
    {
      name: described('Unique. Default: what model says.', ref('pattern')),
      model: ref('pattern'),
      candidates: {
        ...list(
          closed({ provider: ref('name'), model: { type: 'string', minLength: 1, maxLength: 256 } }, [
            'provider',
          ]),
          20,
        ),
        minItems: 1,
      },
      control: { anyOf: [{ const: 'none' }, closed({ tool: { const: 'attempt_completion' } }, ['tool'])] },
      firewall: ref('firewall'),
      strict: described('Refuse what cannot be carried without loss. Default: false.', flag),
      passthrough: described(
        'Forward what is not understood well enough to police it. Default: false.',
        flag,
      ),
    },
    ['model', 'candidates'],
  ),
  mcpServer: closed({
    command: ref('text'),
    args: list(ref('text'), 200),
    env: ref('texts'),
    cwd: described('Default: the folder of this file.', ref('text')),
    url: ref('text'),
    headers: ref('texts'),
    classes: ref('classes'),
    timeoutMs: described('Bound of one call, in milliseconds. Default: 60000.', count(DAY_MS)),
    approve: described('Calls of this class and above need a yes. Default: none.', {
      anyOf: [{ const: 'none' }, ref('class')],
    }),
  }),
};

/** JSON Schema (2020-12) of a configuration; published as `schema/config.schema.json`. */
export const CONFIG_SCHEMA: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Configuration of the Toolgate gateway',
  ...closed({
    $schema: { type: 'string' },
    listen: closed({
      host: described('Default: 127.0.0.1.', ref('text')),
      port: described('0 for any free port. Default: 8787.', count(65_535, 0)),
      allowedHosts: described(
        'Names, without a port, under which the gateway is reached. Loopback names always are.',
        list(ref('text'), 100),
      ),
      allowedOrigins: described(
        'Origins whose pages may use the gateway from a browser, besides its own (CORS).',
        list(ref('text'), 100),
      ),
    }),
    auth: closed({
      required: described('false is accepted on a loopback address only. Default: true.', flag),
      anonymous: closed(grants),
    }),
    keys: list(ref('key'), 10_000),
    providers: { type: 'object', propertyNames: ref('name'), additionalProperties: ref('provider') },
    routes: list(ref('route')),
    mcp: closed({
      servers: { type: 'object', propertyNames: ref('serverName'), additionalProperties: ref('mcpServer') },
      lock: closed({
        mode: described('Default: require.', oneOf('require', 'warn', 'off')),
        path: described('Default: toolgate.lock.json, beside this file.', ref('text')),
      }),
    }),
    storage: closed({
      url: described(
        'sqlite:<path>, sqlite::memory: or postgres://… Default: sqlite:.toolgate/gateway.db.',
        ref('text'),
      ),
      contents: described('Keep arguments and results of calls. Default: false.', flag),
      retentionDays: described(
        'Calls, traffic and settled approvals are deleted after that; the audit never is. Default: 30.',
        count(36_500),
      ),
    }),
    audit: closed({
      allowedCalls: described('Also record calls that needed no approval. Default: true.', flag),
    }),
    approvals: closed({
      lifetimeMs: described(
        'How long a decision may take, in milliseconds. Default: 3600000.',
        count(365 * DAY_MS),
      ),
      fourEyes: described('Nobody says yes to what the same principal asks for. Default: false.', flag),
      webhook: closed(
        {
          url: ref('text'),
          secret: described('Signs each message; at least 16 bytes.', ref('text')),
          contents: described('Messages hold the arguments. Default: false.', flag),
        },
        ['url', 'secret'],
      ),
    }),
    limits: closed({
      bodyBytes: described('Default: 33554432.', count(1_073_741_824)),
      headerBytes: described('Default: 32768.', count(1_048_576)),
      requestMs: described(
        'From the first byte of a request until it is complete, in milliseconds. Default: 60000.',
        count(DAY_MS),
      ),
      concurrency: described('Requests in flight at once, over all keys. Default: 2000.', count(1_000_000)),
    }),
  }),
  $defs: definitions,
};
