import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { CustomServer } from '../src/client/server-transport.ts';

/** A request as it came in, and what a script can do about it. */
export interface ScriptedCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly progress: (progress: number, total?: number) => void;
}

/** What an in-process server does. Everything may change while it runs. */
export interface Script {
  /** The list, in one page. */
  tools?: readonly unknown[];
  /** The whole answer to `tools/list`; wins over `tools`. */
  page?: (cursor: string | undefined) => unknown;
  /** The answer to `tools/call`; a promise that never settles is a server that stalls. */
  call?: (call: ScriptedCall) => unknown;
  capabilities?: object;
  /** Speaks the revision 2026-07-28 instead. */
  modern?: boolean;
}

/** An error of the protocol, as an answer. */
export class RpcFault {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    this.code = code;
    this.message = message;
    this.data = data;
  }
}

type Wire = Readonly<Record<string, unknown>> & { readonly params?: Readonly<Record<string, unknown>> };

/**
 * An MCP server of the revision 2025-11-25 inside the test: it says what its script says, right or wrong. No process,
 * no clock.
 */
export class ScriptedServer {
  readonly script: Script;
  /** All that came in, of all connections. */
  readonly received: Wire[] = [];
  /** How often somebody connected. */
  connections = 0;
  #deliver: ((message: unknown) => void) | undefined;
  #hangUp: (() => void) | undefined;

  constructor(script: Script) {
    this.script = script;
  }

  get transport(): CustomServer {
    return { kind: 'custom', open: () => this.#open() };
  }

  /** The requests and notices of one method. */
  of(method: string): readonly Wire[] {
    return this.received.filter((message) => message['method'] === method);
  }

  /** Sends whatever it is given to the client. */
  send(message: unknown): void {
    this.#deliver?.(message);
  }

  notify(method: string, params: object = {}): void {
    this.send({ jsonrpc: '2.0', method, params });
  }

  /** Breaks the connection, as the death of a server does. */
  die(): void {
    this.#hangUp?.();
  }

  #open(): Transport {
    let open = true;
    const transport: Transport = {
      start: async () => {
        this.connections += 1;
        this.#deliver = (message) => {
          if (open) transport.onmessage?.(structuredClone(message) as JSONRPCMessage);
        };
        this.#hangUp = () => void transport.close();
      },
      send: async (message) => {
        if (!open) throw new Error('closed');
        this.received.push(message as unknown as Wire);
        queueMicrotask(() => this.#answer(message as unknown as Wire));
      },
      close: async () => {
        if (!open) return;
        open = false;
        transport.onclose?.();
      },
    };
    return transport;
  }

  #answer(message: Wire): void {
    const { id, method } = message;
    if (id === undefined || typeof method !== 'string') return;
    // Never settles for a script that stalls; what it throws is the test's.
    void Promise.resolve(this.#result(method, message)).then((result) => {
      if (result instanceof RpcFault) {
        const { code, message: text, data } = result;
        this.send({ jsonrpc: '2.0', id, error: { code, message: text, data } });
      } else
        this.send({ jsonrpc: '2.0', id, result: this.script.modern === true ? complete(result) : result });
    });
  }

  #result(method: string, { params = {} }: Wire): unknown {
    const { script } = this;
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: '2025-11-25',
          capabilities: script.capabilities ?? { tools: { listChanged: true } },
          serverInfo: { name: 'scripted', version: '1' },
        };
      case 'server/discover':
        if (script.modern !== true) return new RpcFault(-32601, 'Method not found');
        return { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
      case 'ping':
        return {};
      case 'tools/list': {
        const cursor = params['cursor'];
        return (
          script.page?.(typeof cursor === 'string' ? cursor : undefined) ?? { tools: script.tools ?? [] }
        );
      }
      case 'tools/call': {
        const meta = (params['_meta'] ?? {}) as Readonly<Record<string, unknown>>;
        const answer = script.call?.({
          name: String(params['name']),
          arguments: params['arguments'],
          meta,
          progress: (progress, total) =>
            this.notify('notifications/progress', { progressToken: meta['progressToken'], progress, total }),
        });
        return answer ?? { content: [] };
      }
      default:
        return new RpcFault(-32601, 'Method not found');
    }
  }
}

/** A result with what the revision 2026-07-28 wants of it. */
function complete(result: unknown): unknown {
  if (typeof result !== 'object' || result === null) return result;
  return { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result };
}

/** The definition of a tool that takes anything. */
export function plainTool(name: string, more: object = {}): object {
  return { name, description: `Does ${name}.`, inputSchema: { type: 'object' }, ...more };
}
