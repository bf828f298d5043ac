import type { GatewayConfig } from '../config/gateway-config.ts';

/** Settings that a running gateway keeps, by where they are in a configuration. */
const FIXED: Readonly<Record<string, (config: GatewayConfig) => unknown>> = {
  '/listen/host': ({ listen }) => listen.host,
  '/listen/port': ({ listen }) => listen.port,
  '/listen/allowedHosts': ({ listen }) => listen.allowedHosts,
  '/listen/allowedOrigins': ({ listen }) => listen.allowedOrigins,
  '/storage/url': ({ storage }) => storage.url.reveal(),
  '/storage/contents': ({ storage }) => storage.contents,
  '/storage/retentionDays': ({ storage }) => storage.retentionDays,
  '/limits/bodyBytes': ({ limits }) => limits.bodyBytes,
  '/limits/headerBytes': ({ limits }) => limits.headerBytes,
  '/limits/requestMs': ({ limits }) => limits.requestMs,
};

/** Where a configuration differs from the one that a gateway was started with in what only a restart changes. */
export function changedFixedSettings(started: GatewayConfig, next: GatewayConfig): readonly string[] {
  return Object.entries(FIXED)
    .filter(([, settingOf]) => JSON.stringify(settingOf(started)) !== JSON.stringify(settingOf(next)))
    .map(([pointer]) => pointer);
}
