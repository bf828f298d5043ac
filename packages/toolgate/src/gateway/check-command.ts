import { resolve } from 'node:path';
import { checkConfig, type GatewayConfig, type GatewayError } from '@toolgate/gateway';
import { importModule } from '../definitions/import-module.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { countOf } from '../terminal/format-count.ts';
import { jsonText } from '../terminal/json-text.ts';
import { createPaint } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';
import { whyIdle } from './why-idle.ts';

/**
 * Says whether a configuration can be used, or what is wrong with it and where. Nothing is opened or connected.
 *
 * @returns The exit code: 1 when it cannot be used.
 */
export async function checkGatewayConfig(
  file: string,
  { json }: { readonly json: boolean },
  io: CliIo,
): Promise<number> {
  const report = await checkConfig(resolve(io.cwd, file), { env: io.env, importModule });
  const paint = createPaint(io.stdout, io.env);
  if (report.kind === 'valid') {
    const facts = factsOf(report.config);
    const idle = whyIdle(report.config);
    const line = `${paint('good', 'valid')}  ${safeText(file)}: ${inWords(report.config)}\n`;
    const warning = idle === undefined ? '' : `${paint('warning', 'idle')}   ${safeText(file)}: ${idle}\n`;
    const warnings = idle === undefined ? [] : [idle];
    await io.stdout.write(json ? `${jsonText({ valid: true, ...facts, warnings })}\n` : line + warning);
    return 0;
  }
  const { faults } = report;
  const lines = faults.map((fault) => {
    const { code, place } = fault;
    const where = place?.line === undefined ? '' : `:${place.line}:${place.column ?? 1}`;
    return `${safeText(file)}${where}  ${safeText(wordsOf(fault), 600)} ${paint('quiet', `(${code})`)}\n`;
  });
  const total = `${paint('bad', 'invalid')}  ${countOf(faults.length, 'error')}\n`;
  const errors = faults.map((fault) => ({ code: fault.code, message: wordsOf(fault), ...fault.place }));
  await io.stdout.write(json ? `${jsonText({ valid: false, errors })}\n` : `${lines.join('')}${total}`);
  return 1;
}

/** The message without the line and column that stand before it. */
function wordsOf({ message }: GatewayError): string {
  return message.replace(/^line \d+, column \d+, /u, '');
}

function factsOf(config: GatewayConfig): object {
  return {
    digest: config.digest,
    listen: { host: config.listen.host, port: config.listen.port },
    keys: config.keys.map(({ id }) => id),
    providers: [...config.providers.keys()],
    routes: config.routes.map(({ name, model }) => ({ name, model })),
    servers: [...config.mcp.servers.keys()],
  };
}

function inWords({ keys, listen, mcp, providers, routes }: GatewayConfig): string {
  return [
    `${listen.host}:${listen.port}`,
    countOf(keys.length, 'key'),
    countOf(providers.size, 'provider'),
    countOf(routes.length, 'route'),
    countOf(mcp.servers.size, 'MCP server'),
  ].join(', ');
}
