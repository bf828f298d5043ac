import { createHash } from 'node:crypto';
import type { GatewayConfigInput, ProviderInput } from '@toolgate/gateway';
import type { CliIo } from '../terminal/cli-io.ts';

/** An upstream that the environment names, and the models that go there. */
export interface Upstream {
  readonly name: string;
  readonly provider: ProviderInput;
  /** Patterns of model names, the last resort not among them. */
  readonly models: readonly string[];
}

/** What a gateway without a configuration is started with. */
export interface DefaultConfigOptions {
  readonly upstreams: readonly Upstream[];
  readonly databasePath: string;
  readonly adminKey: string;
  readonly port: number | undefined;
}

const PORT = 8_787;

/** A placeholder that the reader of configurations fills in. */
const hole = (name: string): string => `\${env:${name}}`;

/**
 * The upstreams of the environment. Their keys stay placeholders, so that they are read where all secrets are.
 *
 * An address of a server that speaks like OpenAI needs no key: many local ones have none.
 */
export function upstreamsOf(env: CliIo['env']): readonly Upstream[] {
  const has = (name: string): boolean => (env[name] ?? '') !== '';
  const address = (name: string): { readonly baseUrl?: string } => (has(name) ? { baseUrl: hole(name) } : {});
  const upstreams: Upstream[] = [];
  if (has('OPENAI_API_KEY') || has('OPENAI_BASE_URL')) {
    const key = has('OPENAI_API_KEY') ? { apiKey: hole('OPENAI_API_KEY') } : {};
    const provider = { protocol: 'openai-chat' as const, ...key, ...address('OPENAI_BASE_URL') };
    upstreams.push({ name: 'openai', provider, models: ['gpt-*', 'o1*', 'o3*', 'o4*', 'chatgpt-*'] });
  }
  if (has('ANTHROPIC_API_KEY')) {
    const provider = { protocol: 'anthropic' as const, apiKey: hole('ANTHROPIC_API_KEY') };
    upstreams.push({ name: 'anthropic', provider, models: ['claude-*'] });
  }
  const gemini = ['GEMINI_API_KEY', 'GOOGLE_API_KEY'].find(has);
  if (gemini !== undefined) {
    const provider = { protocol: 'gemini' as const, apiKey: hole(gemini) };
    upstreams.push({ name: 'gemini', provider, models: ['gemini-*'] });
  }
  return upstreams;
}

/**
 * The configuration that stands for none: this machine only, every call of a model checked against the schema that
 * its client sent, one key for administration. Models go to the upstream of their name, all others to the first one.
 */
export function defaultConfig(options: DefaultConfigOptions): GatewayConfigInput {
  const { upstreams } = options;
  const to = (name: string, model: string, number = 0) => ({
    name: number === 0 ? name : `${name}-${number}`,
    model,
    candidates: [{ provider: name }],
    firewall: { mode: 'enforce' as const },
  });
  const [first] = upstreams;
  const named =
    upstreams.length < 2
      ? []
      : upstreams.flatMap(({ name, models }) => models.map((model, index) => to(name, model, index + 1)));
  const digest = createHash('sha256').update(options.adminKey).digest('hex');
  return {
    listen: { host: '127.0.0.1', port: options.port ?? PORT },
    keys: [{ id: 'local-admin', principal: 'operator', digest: `sha256:${digest}`, admin: true }],
    providers: Object.fromEntries(upstreams.map(({ name, provider }) => [name, provider])),
    routes: [...named, ...(first === undefined ? [] : [to(first.name, '*')])],
    storage: { url: `sqlite:${options.databasePath.split('${').join('$${')}` },
  };
}
