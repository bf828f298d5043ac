import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Secret } from '../config/secret.ts';

/** Shorter values of variables and headers are settings: they would be found in every line. */
const MIN_VALUE_LENGTH = 8;

/** Every secret text of a configuration, for whoever has to keep them out of what is written. Frozen. */
export function secretsOfConfig({ approvals, mcp, providers, storage }: GatewayConfig): readonly string[] {
  const secrets: Secret[] = [];
  for (const { apiKey, headers } of providers.values()) {
    if (apiKey !== undefined) secrets.push(apiKey);
    secrets.push(...headers.values());
  }
  for (const { transport } of mcp.servers.values()) {
    const values = [...(transport.kind === 'stdio' ? transport.env : transport.headers).values()];
    secrets.push(...values.filter((value) => value.reveal().length >= MIN_VALUE_LENGTH));
  }
  if (approvals.webhook !== undefined) secrets.push(approvals.webhook.secret);
  const texts = secrets.map((secret) => secret.reveal());
  return Object.freeze([...new Set([...texts, ...passwordsOf(storage.url.reveal())])]);
}

/** The password of a database address, as it is written there and as it is. */
function passwordsOf(url: string): readonly string[] {
  const password = URL.parse(url)?.password ?? '';
  if (password === '') return [];
  try {
    return [url, password, decodeURIComponent(password)];
  } catch {
    return [url, password];
  }
}
