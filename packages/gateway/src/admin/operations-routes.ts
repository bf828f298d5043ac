import type { Clock } from '@toolgate/core';
import type { FastifyInstance } from 'fastify';
import { takenBody } from '../http/taken-body.ts';
import type { GatewayMetrics } from '../observe/metrics.ts';

/** What the addresses for operators' machines need. */
export interface OperationsRoutesOptions {
  readonly clock: Clock;
  /** How long a client may take nothing of its answer. */
  readonly stuckMs: number;
  readonly metrics: GatewayMetrics;
  readonly draining: () => boolean;
  /** Whether storage answers and takes what is written. */
  readonly ping: () => Promise<boolean>;
}

/** Storage that takes longer for nothing serves nobody; whoever asks gives up about then, too. */
const PATIENCE_MS = 2_000;

/**
 * Adds `/healthz` (the process lives), `/readyz` (it can serve) and `/metrics`. They need no key, hold no contents, and
 * name no principal.
 */
export async function registerOperationsRoutes(
  app: FastifyInstance,
  { clock, draining, metrics, ping, stuckMs }: OperationsRoutesOptions,
): Promise<void> {
  const config = { refusalShape: 'gateway' } as const;
  const storageAnswers = createQuestion(ping, clock);
  await app.register(async (scope) => {
    scope.addHook('onRequest', (_request, reply, done) => {
      // What was true a while ago is no answer.
      reply.header('cache-control', 'no-store');
      done();
    });
    scope.get('/healthz', { config }, async (_request, reply) => {
      reply.header('content-type', 'application/json; charset=utf-8');
      return '{"status":"live"}';
    });
    scope.get('/readyz', { config }, async (_request, reply) => {
      const storage = await storageAnswers();
      const ready = storage && !draining();
      reply.code(ready ? 200 : 503).header('content-type', 'application/json; charset=utf-8');
      return JSON.stringify({ status: ready ? 'ready' : 'not-ready', storage, draining: draining() });
    });
    scope.get('/metrics', { config }, async (request, reply) => {
      reply.header('content-type', metrics.contentType);
      const text = await metrics.text();
      if (request.method === 'HEAD') return text;
      // Whoever asks is not known, and may ask often.
      reply.header('content-length', Buffer.byteLength(text));
      return takenBody(reply.raw, text, { clock, stuckMs });
    });
  });
}

/** Asks once for all who want to know at the same time, as anybody may, and takes no answer in time for a no. */
function createQuestion(ping: () => Promise<boolean>, clock: Clock): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined;
  return async () => {
    asked ??= ping()
      .catch(() => false)
      .finally(() => {
        asked = undefined;
      });
    const answer = asked;
    return new Promise((resolve) => {
      const timer = clock.setTimer(() => resolve(false), PATIENCE_MS);
      void answer.then((answers) => {
        clock.clearTimer(timer);
        resolve(answers);
      });
    });
  };
}
