import { isJsonObject, type JsonObject } from '@toolgate/core';
import { CliError } from '../cli-error.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { jsonText } from '../terminal/json-text.ts';
import { createPaint } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';
import { createAdminClient } from './admin-client.ts';
import { textOf } from './fields.ts';
import type { AdminOptions } from './keys-command.ts';

const CONFLICT = 409;

/**
 * Lets a gateway read its configuration again, and says whether the new one serves.
 *
 * @returns The exit code: 1 when the last good one goes on serving.
 */
export async function reloadGateway(options: AdminOptions, io: CliIo): Promise<number> {
  const client = await createAdminClient(options, io);
  const answer = await client.ask('api/reload', { method: 'POST', body: {}, also: CONFLICT });
  const { needsRestart, published } = answer;
  if (typeof published !== 'boolean')
    throw new CliError('cli/gateway-invalid', 'The answer of the gateway cannot be read.');
  const paint = createPaint(io.stdout, io.env);
  const serves = `configuration ${textOf(answer, 'generation', 20)}`;
  if (options.json) await io.stdout.write(`${jsonText(answer)}\n`);
  else if (!published)
    await io.stdout.write(
      `${paint('bad', 'refused')}  ${textOf(answer, 'message', 600)} ${paint('quiet', `(${faultOf(answer)})`)}\n         ${serves} goes on serving\n`,
    );
  else {
    await io.stdout.write(`${paint('good', 'applied')}  ${serves} serves\n`);
    if (Array.isArray(needsRestart))
      await io.stdout.write(
        `${paint('warning', 'waits')}    for a restart: ${safeText(needsRestart.join(' '), 2_000)}\n`,
      );
  }
  return published ? 0 : 1;
}

/** The code of a fault, and where it is, which not every message says. */
function faultOf(answer: JsonObject): string {
  const code = textOf(answer, 'code', 60);
  const pointer = isJsonObject(answer['place']) ? textOf(answer['place'], 'pointer', 300) : '';
  return pointer === '' || textOf(answer, 'message', 600).includes(pointer) ? code : `${code}, ${pointer}`;
}
