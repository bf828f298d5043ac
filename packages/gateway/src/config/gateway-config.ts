import type { Digest } from '@toolgate/core';
import type { Protocol } from '@toolgate/model';
import type { Grants } from '../ports/principal.ts';
import type { FirewallConfig } from './firewall-config.ts';
import type { McpConfig } from './mcp-config.ts';
import type { Secret } from './secret.ts';

/** Where the gateway listens, and as whom it may be addressed. */
export interface ListenConfig {
  /** Default `127.0.0.1`. */
  readonly host: string;
  /** 0 for any free port. Default 8787. */
  readonly port: number;
  /** Values of `Host`, without a port, that are answered where cookies or loopback matter. Loopback names always are. */
  readonly allowedHosts: readonly string[];
  /** Values of `Origin` whose pages may use the gateway from a browser (CORS); its own always may. */
  readonly allowedOrigins: readonly string[];
}

/** Whether a key is needed. */
export interface AuthConfig {
  /** Default `true`; `false` is accepted on a loopback address only. */
  readonly required: boolean;
  /** What a request without a key may do, where none is required. Never the admin API. */
  readonly anonymous: Grants;
}

/** A virtual key of the configuration. Only its digest is kept. */
export interface KeyConfig {
  readonly id: string;
  readonly principal: string;
  /** SHA-256 of the key, `sha256:` and 64 hexadecimal digits. */
  readonly digest: Digest;
  readonly grants: Grants;
}

/** Bounds of waiting for a provider, in milliseconds. */
export interface ProviderTimeouts {
  /** Default 10,000. */
  readonly connectMs: number;
  /** From the request to the first byte of the answer. Default 120,000. */
  readonly firstByteMs: number;
  /** From one piece of the answer to the next. Default 60,000. */
  readonly idleMs: number;
  /** The whole exchange. Default 900,000. */
  readonly totalMs: number;
}

/** One upstream. */
export interface ProviderConfig {
  readonly name: string;
  readonly protocol: Protocol;
  /** Default: where the protocol's owner serves it. No credentials, no fragment. */
  readonly baseUrl: URL;
  readonly apiKey: Secret | undefined;
  /** Sent with every request; names in lower case. */
  readonly headers: ReadonlyMap<string, Secret>;
  /**
   * The one name under which a server of OpenAI Chat knows the limit of an answer. `undefined`: requests of the same
   * protocol say it as the client does, others as the service at the address is known to take it.
   */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens' | undefined;
  readonly timeouts: ProviderTimeouts;
}

/** One place where a route's requests may go. */
export interface CandidateConfig {
  readonly provider: string;
  /** The model's name there; default: the one the client asked for. */
  readonly model: string | undefined;
}

/** The control tool of a route. */
export interface ControlConfig {
  /** The reference provider is the only one that a file can name. */
  readonly tool: 'attempt_completion';
}

/** Which models go where, and under which rules. The first route that matches counts. */
export interface RouteConfig {
  /** Unique; default: `model`. */
  readonly name: string;
  /** An exact model name, or one with `*` for any run of characters. */
  readonly model: string;
  /** Tried in order; at least one. */
  readonly candidates: readonly CandidateConfig[];
  readonly control: ControlConfig | undefined;
  /**
   * `undefined`: calls are held, checked by the client's own schemas and the key's rules, and need no approval. With
   * `passthrough` they are only observed; the key's rules still count.
   */
  readonly firewall: FirewallConfig | undefined;
  /** A loss is refused instead of reported. Default `false`. */
  readonly strict: boolean;
  /** Requests that are not understood well enough to police them are forwarded. Default `false`. */
  readonly passthrough: boolean;
}

/** Where things are kept, and for how long. */
export interface StorageConfig {
  /** `sqlite:<path>`, `sqlite::memory:` or `postgres://…`; may hold a password. */
  readonly url: Secret;
  /** Whether arguments and results of calls are kept; what clients and models say besides never is. Default `false`. */
  readonly contents: boolean;
  /** Calls, traffic and settled approvals older than this are deleted. Default 30. The audit is never. */
  readonly retentionDays: number;
}

/** What the audit records besides decisions, which it always records. */
export interface AuditConfig {
  /** Also record every call that was allowed without an approval. Default `true`. */
  readonly allowedCalls: boolean;
}

/** Where news about approvals are sent. */
export interface WebhookConfig {
  readonly url: URL;
  /** Signs each message (HMAC-SHA256). */
  readonly secret: Secret;
  /** Whether messages hold the arguments. Default `false`. */
  readonly contents: boolean;
}

/** Settings of approvals. */
export interface ApprovalsConfig {
  /** How long a decision may take where no rule says so. Default one hour. */
  readonly lifetimeMs: number;
  /** Whether the principal who asks for a call may not say yes to it. Default `false`. */
  readonly fourEyes: boolean;
  readonly webhook: WebhookConfig | undefined;
}

/** Bounds of what a client may send. */
export interface LimitsConfig {
  /** Default 32 MiB. */
  readonly bodyBytes: number;
  /** Default 32 KiB. */
  readonly headerBytes: number;
  /** From the first byte of a request until it is complete. Default 60,000. */
  readonly requestMs: number;
  /** Requests in flight at once, over all keys. Default 2,000. */
  readonly concurrency: number;
}

/** A whole configuration: read, checked, defaults filled in. Deeply frozen. */
export interface GatewayConfig {
  readonly listen: ListenConfig;
  readonly auth: AuthConfig;
  readonly keys: readonly KeyConfig[];
  readonly providers: ReadonlyMap<string, ProviderConfig>;
  readonly routes: readonly RouteConfig[];
  readonly mcp: McpConfig;
  readonly storage: StorageConfig;
  readonly audit: AuditConfig;
  readonly approvals: ApprovalsConfig;
  readonly limits: LimitsConfig;
  /** Digest of the configuration as written, before secrets were filled in: equal for the same text. */
  readonly digest: Digest;
}
