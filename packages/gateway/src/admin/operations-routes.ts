import type { FastifyInstance } from 'fastify';
import type { GatewayMetrics } from '../observe/metrics.ts';

/** What the addresses for operators' machines need. */
export interface OperationsRoutesOptions {
  readonly metrics: GatewayMetrics;
  readonly draining: () => boolean;
  /** Whether storage answers. */
  readonly ping: () => Promise<boolean>;
}

/**
 * Adds `/healthz` (the process lives), `/readyz` (it can serve) and `/metrics`. They need no key, hold no contents, and
 * name no principal.
 */
export async function registerOperationsRoutes(
  app: FastifyInstance,
  { draining, metrics, ping }: OperationsRoutesOptions,
): Promise<void> {
  const config = { refusalShape: 'gateway' } as const;
  await app.register(async (scope) => {
    scope.get('/healthz', { config }, async (_request, reply) => {
      reply.header('content-type', 'application/json; charset=utf-8');
      return '{"status":"live"}';
    });
    scope.get('/readyz', { config }, async (_request, reply) => {
      const storage = await ping().catch(() => false);
      const ready = storage && !draining();
      reply.code(ready ? 200 : 503).header('content-type', 'application/json; charset=utf-8');
      return JSON.stringify({ status: ready ? 'ready' : 'not-ready', storage, draining: draining() });
    });
    scope.get('/metrics', { config }, async (_request, reply) => {
      reply.header('content-type', metrics.contentType);
      return metrics.text();
    });
  });
}
