import type { GatewayConfig } from '@toolgate/gateway';
import type { CliIo } from '../terminal/cli-io.ts';
import { createPaint } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';
import { formatFields } from './fields.ts';

/** What somebody is told who has started a gateway. */
export interface Greeting {
  readonly url: string;
  readonly config: GatewayConfig;
  /** Where the upstream is the built-in model. */
  readonly builtin: boolean;
  /** `undefined` with a configuration. */
  readonly home?: {
    readonly databasePath: string;
    /** Both at the first start only. */
    readonly clientKey?: string;
    readonly adminKey?: string;
  };
}

const BUILTIN_BODY = {
  model: 'builtin',
  messages: [{ role: 'user', content: 'call add {"a":2,"b":3}' }],
  tools: [
    {
      type: 'function',
      function: {
        name: 'add',
        parameters: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } },
      },
    },
  ],
};

/** The text that is shown before the first request, with a command that works as it is. */
export function formatGreeting({ builtin, config, home, url }: Greeting, io: CliIo): string {
  const paint = createPaint(io.stdout, io.env);
  const providers = [...config.providers.values()].map(({ name, protocol }) => `${name} (${protocol})`);
  const model = config.routes.find((route) => !route.model.includes('*'))?.model ?? 'MODEL';
  const body = builtin ? BUILTIN_BODY : { model, messages: [{ role: 'user', content: 'Hello!' }] };
  const facts = formatFields(
    [
      [
        'upstream',
        builtin
          ? 'the built-in model; set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENAI_BASE_URL for a real one'
          : safeText(providers.join(', ') || 'none', 400),
      ],
      ['storage', home === undefined ? '' : safeText(home.databasePath)],
      ['key', home?.clientKey === undefined ? '' : `${home.clientKey}  ${paint('quiet', 'shown this once')}`],
      [
        'admin key',
        home?.adminKey === undefined
          ? ''
          : `${home.adminKey}  ${paint('quiet', 'kept in .toolgate; "toolgate approvals" and the like find it')}`,
      ],
    ],
    paint,
  );
  const key =
    home === undefined
      ? `# TOOLGATE_KEY is a key of your configuration; "toolgate approvals" and the like want one with admin:\n# export TOOLGATE_URL=${url} TOOLGATE_ADMIN_KEY=…`
      : home.clientKey === undefined
        ? '# TOOLGATE_KEY is the key of the first start; "toolgate keys create NAME --tools allow" makes another one'
        : `export TOOLGATE_KEY=${home.clientKey}`;
  const json = JSON.stringify(body).replaceAll("'", "'\\''");
  const models = [
    `curl ${url}/v1/chat/completions -H "Authorization: Bearer $TOOLGATE_KEY" \\\n`,
    `  -H 'Content-Type: application/json' -d '${json}'\n\n`,
    `new OpenAI({ baseURL: '${url}/v1', apiKey: process.env.TOOLGATE_KEY })\n`,
    `new Anthropic({ baseURL: '${url}', apiKey: process.env.TOOLGATE_KEY })\n`,
    `new GoogleGenAI({ apiKey: process.env.TOOLGATE_KEY, httpOptions: { baseUrl: '${url}' } })\n`,
  ];
  const mcp = `MCP over HTTP: ${url}/mcp with the header Authorization: Bearer $TOOLGATE_KEY\n`;
  return [
    `${paint('strong', `Toolgate listens on ${url}`)}\n\n${facts}\n`,
    `${key}\n`,
    ...(config.routes.length === 0 ? [] : models),
    ...(config.mcp.servers.size === 0 ? [] : [mcp]),
    '\n',
    paint('quiet', 'Ctrl-C ends it when the requests in flight are done.\n'),
  ].join('');
}
