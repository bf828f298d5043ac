// A gateway process without its HTTP: takes approvals from the question to the release until it is done or killed.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { createGenerations } from '../src/config/create-generations.ts';
import type { GatewayConfig } from '../src/config/gateway-config.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { Secret } from '../src/config/secret.ts';
import { openStores } from '../src/server/open-stores.ts';
import { payment } from './approval-fixtures.ts';
import type { CrashStage } from './crash-stages.ts';

const [url = '', effects = '', config = '', count = '0'] = process.argv.slice(2);
const file = openSync(effects, 'a');
/** What somebody outside was told: on the disk before anything goes on. */
const tell = (...words: readonly (string | number)[]): void => {
  writeSync(file, `${words.join(' ')}\n`);
  fsyncSync(file);
};
const reach = (stage: CrashStage): void => void writeSync(1, `${stage}\n`);

const stores = await openStores({ storage: { url: new Secret(url), contents: false, retentionDays: 1 } });
const { approvals, audit } = stores;
const by = `reviewer-${process.pid}`;

async function takeThrough(index: number): Promise<void> {
  const id = `approval-${index}`;
  // Another process, or this one before it was killed, may have been first.
  await approvals.create(payment(id, { expiresAt: 'none' })).catch(() => undefined);
  reach('waiting');
  const settled = approvals.wait(id);
  const verdict = (index + process.pid) % 2 === 0 ? 'approve' : 'decline';
  const result = await approvals.decide(id, { verdict, by });
  if (result.kind === 'decided') tell('decided', id, result.record.status, by);
  const { status } = await settled;
  reach('decided');
  if (status === 'approved' && (await approvals.consume(id))) tell('released', id);
}

async function appendMany(): Promise<void> {
  reach('appending');
  const appended = Array.from({ length: 10 }, async (_, index) => {
    const { seq, digest } = await audit.append({ kind: 'call-end', actor: by, data: { index } });
    tell('recorded', seq, digest);
  });
  await Promise.all(appended);
}

const generations = await createGenerations<string, GatewayConfig>(config, {
  build: async (path) => loadConfig(path, { env: {} }),
  retire: async () => undefined,
});
async function reload(path: string): Promise<void> {
  reach('reloading');
  const result = await generations.reload(path);
  const { content, number } = generations.current;
  const kind = result.kind === 'published' ? 'config-load' : 'config-refuse';
  await audit.append({ kind, actor: 'system', data: { number, config: content.digest } });
  tell('serving', content.digest);
}

writeSync(1, 'ready\n');
for (let index = 0; index < Number(count); index += 4) {
  await Promise.all([
    ...[0, 1, 2, 3].map((offset) => takeThrough(index + offset)),
    appendMany(),
    reload(index % 8 === 0 ? `${config}.bad.yaml` : config),
  ]);
}
await generations.close();
await stores.close();
closeSync(file);
writeSync(1, 'finished\n');
