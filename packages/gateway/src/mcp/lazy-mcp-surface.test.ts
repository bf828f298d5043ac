import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { McpConfig } from '../config/mcp-config.ts';
import type { ApprovalRecord } from '../ports/approval-store.ts';
import { createLazyMcpSurface } from './lazy-mcp-surface.ts';
import type { McpExchange } from './mcp-exchange.ts';
import type { McpSurface, McpSurfaceOptions } from './mcp-surface.ts';

const NO_SERVERS: McpConfig = { servers: new Map(), lock: { mode: 'off', path: '' } };

/** A lazy surface, and what went wrong in it. What it stands for would read its options. */
function lazy(options: Partial<McpSurfaceOptions> = {}): { surface: McpSurface; defects: unknown[] } {
  const defects: unknown[] = [];
  const own = { onDefect: (error: unknown) => defects.push(error), ...options };
  const surface = createLazyMcpSurface(
    new Proxy(own, {
      get(target, name) {
        if (name in target) return Reflect.get(target, name) as unknown;
        throw new Error(`The option ${String(name)} was read.`);
      },
    }) as McpSurfaceOptions,
  );
  return { surface, defects };
}

describe('a surface without servers', () => {
  test('is not built for configurations that name none', async () => {
    const { surface, defects } = lazy();
    const mounts = await surface.mount(NO_SERVERS);
    surface.use(mounts, 1_000);
    expect([mounts.servers.size, mounts.standings]).toEqual([0, []]);
    expect(surface.has('files')).toBe(false);
    expect(surface.report()).toEqual({ servers: [], lookAlikes: [] });
    expect(surface.drift({ origin: 'llm' } as ApprovalRecord)).toBeUndefined();
    expect(surface.drift({ origin: 'mcp', place: 'files' } as ApprovalRecord)).toEqual({
      state: 'server-gone',
    });
    await surface.close();
    expect(defects).toEqual([]);
  });

  test('is built for the first client; one that cannot be served is let go, and the next one tried again', async () => {
    const { surface, defects } = lazy();
    const request = Readable.from([]) as unknown as IncomingMessage;
    for (let client = 0; client < 2; client += 1) {
      await new Promise<void>((resolve) => {
        const response = { destroy: resolve } as unknown as ServerResponse;
        surface.handle(request, response, 'all', {} as McpExchange);
      });
    }
    const fault = expect.objectContaining({ message: expect.stringMatching(/was read/) });
    expect(defects).toEqual([fault, fault]);
    expect(defects[0]).not.toBe(defects[1]);
  });

  test('is built for the first configuration that names a server', async () => {
    const { surface } = lazy();
    const servers = new Map([['files', {}]]) as unknown as McpConfig['servers'];
    await expect(surface.mount({ ...NO_SERVERS, servers })).rejects.toThrow(/was read/);
  });
});
