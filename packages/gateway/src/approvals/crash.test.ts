import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bundleCrashWorker, type KillPoint, runCrashWorker } from '../../test-support/crash-harness.ts';
import { crashStages } from '../../test-support/crash-stages.ts';
import { storageEngines } from '../../test-support/storage-engines.ts';
import { loadConfig } from '../config/load-config.ts';
import { Secret } from '../config/secret.ts';
import type { ApprovalRecord } from '../ports/approval-store.ts';
import type { AuditRecord } from '../ports/audit-log.ts';
import { openStores } from '../server/open-stores.ts';

/** Approvals that the workers take through; a multiple of four. */
const COUNT = 16;

/** Processes need their time where many tests run at once. */
const PATIENCE_MS = 180_000;

describe.each(storageEngines)('gateways on $name that are killed', (engine) => {
  let script: string;
  let folder: string;
  let url: string;
  let effects: string;
  let config: string;

  beforeAll(async () => {
    await engine.start();
    script = await bundleCrashWorker();
  }, 60_000);
  afterAll(() => engine.stop(), 60_000);
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tg-crash-'));
    effects = join(folder, 'effects');
    config = join(folder, 'gateway.yaml');
    writeFileSync(effects, '');
    writeFileSync(config, 'listen: { port: 0 }\n');
    writeFileSync(`${config}.bad.yaml`, 'listen: { prt: 0 }\n');
    url = await engine.createUrl();
    return () => rmSync(folder, { recursive: true, force: true });
  });

  const run = (at?: KillPoint): ReturnType<typeof runCrashWorker> =>
    runCrashWorker(script, [url, effects, config, String(COUNT)], at);

  interface State {
    readonly approvals: ReadonlyMap<string, ApprovalRecord>;
    readonly audit: ReadonlyMap<number, AuditRecord>;
    readonly released: readonly string[];
  }

  /** Holds what is stored against what anybody was ever told. */
  const check = async (): Promise<State> => {
    const stores = await openStores({ storage: { url: new Secret(url), contents: false, retentionDays: 1 } });
    try {
      const audit = new Map<number, AuditRecord>();
      for await (const record of stores.audit.read()) audit.set(record.seq, record);
      expect(await stores.audit.verify()).toMatchObject({ ok: true, records: audit.size });
      const { items } = await stores.approvals.list({}, { limit: 500 });
      const approvals = new Map(items.map((record) => [record.id, record]));
      const released: string[] = [];
      const { digest } = await loadConfig(config, { env: {} });
      for (const line of readFileSync(effects, 'utf8').trim().split('\n')) {
        const [what, first = '', second, third] = line.split(' ');
        const record = approvals.get(first);
        if (what === 'decided') {
          expect(record, line).toMatchObject({ status: second, settlement: { by: third } });
        } else if (what === 'released') {
          expect(record, line).toMatchObject({ status: 'approved', consumedAt: expect.any(Number) });
          released.push(first);
        } else if (what === 'recorded') {
          expect(audit.get(Number(first))?.digest, line).toBe(second);
        } else if (what === 'serving') {
          // The good one, whether the last reload was of the bad one or not.
          expect(first).toBe(digest);
        }
      }
      expect(new Set(released).size, 'an approval was released twice').toBe(released.length);
      const words = [...audit.values()].map(
        ({ kind, data }) => `${kind} ${JSON.stringify(data['approval'])}`,
      );
      for (const { id, status, consumedAt } of items) {
        const count = (kind: string): number => words.filter((each) => each === `${kind} "${id}"`).length;
        expect(count('approval-create'), id).toBe(1);
        expect(count('approval-approve') + count('approval-decline'), id).toBe(status === 'pending' ? 0 : 1);
        expect(count('approval-consume'), id).toBe(consumedAt === undefined ? 0 : 1);
      }
      return { approvals, audit, released };
    } finally {
      await stores.close();
    }
  };

  test(
    'at any stage lose no decision, release nothing twice and keep the audit whole',
    async () => {
      const killed = new Map<string, number>();
      const rounds = engine.name === 'SQLite' ? [1, 6] : [4];
      for (const times of rounds) {
        for (const stage of crashStages) {
          const end = await run({
            stage,
            times: stage === 'waiting' || stage === 'decided' ? times : Math.ceil(times / 4),
          });
          if (end.killed) killed.set(stage, (killed.get(stage) ?? 0) + 1);
          expect(end.reached).toContain('ready');
          await check();
        }
      }
      for (const stage of crashStages)
        expect(killed.get(stage), `no kill while ${stage}`).toBe(rounds.length);
      expect((await run()).killed).toBe(false);
      const { approvals, released } = await check();
      expect(approvals.size).toBe(COUNT);
      for (const { status } of approvals.values()) expect(['approved', 'declined']).toContain(status);
      expect(released.length).toBeGreaterThan(0);
    },
    PATIENCE_MS,
  );

  test(
    'while another one works on the same database decide and release each approval once',
    async () => {
      const ends = await Promise.all([run(), run({ stage: 'decided', times: 8 }), run()]);
      expect(ends.map(({ killed }) => killed)).toEqual([false, true, false]);
      const { approvals, released } = await check();
      expect(approvals.size).toBe(COUNT);
      const approved = [...approvals.values()]
        .filter(({ status }) => status === 'approved')
        .map(({ id }) => id);
      // The one that was killed may have used up some that it never came to release.
      for (const id of released) expect(approved).toContain(id);
      const lost = approved.filter((id) => !released.includes(id));
      expect(lost.length).toBeLessThanOrEqual(4);
      for (const id of lost) expect(approvals.get(id)?.consumedAt).toBeDefined();
    },
    PATIENCE_MS,
  );
});
