import type { ExecutionClass } from '@toolgate/core';
import type { Protocol } from '@toolgate/model';

/** Names of tools as a key or a route lists them. */
export interface ToolRulesInput {
  /** Default `deny`. */
  readonly default?: 'allow' | 'deny';
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

/** What a key may do, as it is written. */
export interface GrantsInput {
  readonly tools?: ToolRulesInput;
  readonly routes?: 'all' | readonly string[];
  readonly servers?: 'all' | readonly string[];
  readonly limits?: { readonly requestsPerMinute?: number; readonly concurrency?: number };
}

/** A key as it is written: the key itself, or its digest. */
export interface KeyInput extends GrantsInput {
  readonly id: string;
  /** Default: the id. */
  readonly principal?: string;
  readonly key?: string;
  readonly digest?: string;
  readonly admin?: boolean;
}

/** A provider as it is written. */
export interface ProviderInput {
  readonly protocol: Protocol;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** OpenAI Chat only: the one name under which the server knows the limit of an answer. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  readonly timeouts?: {
    readonly connectMs?: number;
    readonly firstByteMs?: number;
    readonly idleMs?: number;
    readonly totalMs?: number;
  };
}

/** A class for tools of a name or pattern, as it is written. */
export interface ClassRuleInput {
  readonly tool: string;
  readonly class: ExecutionClass;
}

/** A firewall as it is written. */
export interface FirewallInput {
  readonly mode?: 'enforce' | 'observe';
  readonly scope?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
  readonly classes?: readonly ClassRuleInput[];
  readonly approve?:
    | 'none'
    | {
        readonly threshold?: ExecutionClass;
        readonly tools?: readonly string[];
        readonly lifetimeMs?: number;
      };
  readonly onRefusal?: 'replace' | 'feedback';
  readonly maxRounds?: number;
}

/** A route as it is written. */
export interface RouteInput {
  readonly name?: string;
  readonly model: string;
  readonly candidates: readonly { readonly provider: string; readonly model?: string }[];
  readonly control?: 'none' | { readonly tool: 'attempt_completion' };
  readonly firewall?: FirewallInput;
  readonly strict?: boolean;
  readonly passthrough?: boolean;
}

/** An MCP server as it is written: a command or an address. */
export interface McpServerInput {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly classes?: readonly ClassRuleInput[];
  readonly timeoutMs?: number;
  /** Calls of this class and above need a person's yes. Default `none`. */
  readonly approve?: 'none' | ExecutionClass;
}

/**
 * A configuration as somebody writes it; the published JSON Schema says the same. Members mean what they mean in
 * {@link GatewayConfig}, which has their units and defaults.
 */
export interface GatewayConfigInput {
  readonly $schema?: string;
  readonly listen?: {
    readonly host?: string;
    readonly port?: number;
    readonly allowedHosts?: readonly string[];
    readonly allowedOrigins?: readonly string[];
  };
  readonly auth?: { readonly required?: boolean; readonly anonymous?: GrantsInput };
  readonly keys?: readonly KeyInput[];
  readonly providers?: Readonly<Record<string, ProviderInput>>;
  readonly routes?: readonly RouteInput[];
  readonly mcp?: {
    readonly servers?: Readonly<Record<string, McpServerInput>>;
    readonly lock?: { readonly mode?: 'require' | 'warn' | 'off'; readonly path?: string };
  };
  readonly storage?: {
    readonly url?: string;
    readonly contents?: boolean;
    readonly retentionDays?: number;
  };
  readonly audit?: { readonly allowedCalls?: boolean };
  readonly approvals?: {
    readonly lifetimeMs?: number;
    /** Nobody says yes to what the same principal asks for. Default `false`. */
    readonly fourEyes?: boolean;
    readonly webhook?: { readonly url: string; readonly secret: string; readonly contents?: boolean };
  };
  readonly limits?: {
    readonly bodyBytes?: number;
    readonly headerBytes?: number;
    readonly requestMs?: number;
    readonly concurrency?: number;
  };
}

/** Gives a configuration in a module its type. Nothing is checked here. */
export function defineGatewayConfig(config: GatewayConfigInput): GatewayConfigInput {
  return config;
}
