import { systemClock } from '@toolgate/core';
import type { FastifyInstance } from 'fastify';
import { registerAdminRoutes } from '../src/admin/admin-routes.ts';
import { registerOperationsRoutes } from '../src/admin/operations-routes.ts';
import { createHostRules } from '../src/http/host-rules.ts';
import { createHttpServer } from '../src/http/http-server.ts';
import { registerLlmRoutes } from '../src/llm/llm-routes.ts';
import { registerMcpRoutes } from '../src/mcp/mcp-routes.ts';

/** One address that a gateway answers. */
export interface ServedRoute {
  readonly method: string;
  /** As it is registered, with `:name` and `*`. */
  readonly url: string;
}

/** Every address that a gateway answers, as its parts register them; a HEAD is that of its GET. Nothing is served. */
export async function servedRoutes(): Promise<readonly ServedRoute[]> {
  const { app } = createHttpServer({
    clock: systemClock,
    newId: () => 'x',
    bodyBytes: 1,
    headerBytes: 8_192,
    requestMs: 1_000,
    hostRules: createHostRules({ host: '127.0.0.1', allowedHosts: [], allowedOrigins: [] }),
    onDefect: () => undefined,
    onDoorAnswer: () => undefined,
  });
  const routes: ServedRoute[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of Array.isArray(method) ? method : [method])
      if (each !== 'HEAD') routes.push({ method: each, url });
  });
  // What a route works on is looked at when it is asked.
  const nothing = {} as never;
  const parts: readonly ((app: FastifyInstance, options: never) => Promise<void>)[] = [
    registerLlmRoutes,
    registerMcpRoutes,
    registerOperationsRoutes,
    registerAdminRoutes,
  ];
  for (const register of parts) await register(app, nothing);
  await app.ready();
  return routes;
}
