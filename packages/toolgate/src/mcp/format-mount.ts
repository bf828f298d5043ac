import { describeServer, type MountReport } from '@toolgate/mcp';
import type { Paint } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';
import { indent } from './format-definition.ts';
import type { ServerMount } from './mount-servers.ts';

/** A server in one line: its name, how it is reached, and what it calls itself. */
export function formatServer(each: ServerMount, paint: Paint): string {
  const { name, transport } = each.server;
  const title = paint('strong', safeText(name, 80));
  switch (each.kind) {
    case 'mounted':
      return `${title}  ${paint('quiet', safeText(describeServer(transport), 200))}${sayInfo(each.mount.report, paint)}\n`;
    case 'disabled':
      return `${title}  ${paint('quiet', 'switched off in the configuration')}\n`;
    case 'failed':
      return `${title}  ${paint('quiet', safeText(describeServer(transport), 200))}\n${formatFailure(each, paint)}`;
  }
}

/** Why a server could not be mounted, and the last that it said. */
export function formatFailure(
  { code, message, detail }: Extract<ServerMount, { readonly kind: 'failed' }>,
  paint: Paint,
): string {
  const line = `${paint('bad', 'error')}  ${code}  ${safeText(message)}\n`;
  return detail === undefined ? line : line + indent(paint('quiet', safeText(detail.trim(), 2_000)), 7);
}

function sayInfo({ serverInfo, protocolVersion }: MountReport, paint: Paint): string {
  if (serverInfo === undefined) return '';
  const words = [serverInfo.name, serverInfo.version, protocolVersion ?? ''].filter((word) => word !== '');
  return paint('quiet', `  says ${safeText(words.join(' '), 200)}`);
}
