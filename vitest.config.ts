import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Where everything is built, a package meets the others as users do, which also saves reading a thousand files anew.
const isBuilt = process.env['TOOLGATE_BUILT'] === 'yes';
// As Node.js resolves, with our sources first. Never `module`: that is a bundler's word, and some packages break on it.
const conditions = isBuilt ? ['node'] : ['@toolgate/source', 'node'];

/** Folders and files whose tests wait for many processes; a worker that has one left at the end works alone. */
const LONG = [
  'agent/src/durable-agent/crash-agent',
  'gateway/src/approvals/crash',
  'agent/src/durable/crash',
  'mcp/src/conformance/',
  'agent/src/durable-agent/frozen-worker',
  'toolgate/src/gateway/admin-commands',
  'toolgate/src/gateway/up-command',
  'toolgate/src/bin.test',
  'toolgate/src/mcp/',
  'examples/demo/',
  'mcp/src/serve/official-clients',
  'mcp/src/mount/',
  'testing/src/adapter/',
  'core/src/schema/differential',
];

/** Starts what takes long first; the rest as Vitest does, which knows nothing but sizes in a fresh clone. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = LONG.findIndex((part) => moduleId.includes(part));
      return found < 0 ? LONG.length : found;
    };
    return (await super.sort(files)).sort((left, right) => rank(left) - rank(right));
  }
}

// Vitest reads a default export and nothing else.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    server: { deps: { external: [/\/packages\/[a-z]+\/dist\//] } },
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
    // An unhandled rejection fails the run; that is a promise of the product, not of the tests.
    dangerouslyIgnoreUnhandledErrors: false,
    testTimeout: 120_000,
    // A machine that is busy with other tests can be slow to start a database.
    hookTimeout: 120_000,
    // What a test waits for need not come within a second there, which is the default.
    expect: { poll: { timeout: 20_000 } },
    // No test file changes what another one can see, so that they can share a worker; this halves the time of a run.
    isolate: false,
    // Many tests wait for processes and connections: more workers than processors keep these busy.
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    coverage: {
      provider: 'v8',
      include: ['packages/core/src/**/*.ts', 'packages/control/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/*.test-d.ts', '**/*.bench.ts', '**/index.ts'],
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: '.cache/coverage',
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
