import { defineConfig } from 'vitest/config';

// As Node.js resolves, with our sources first. Never `module`: that is a bundler's word, and some packages break on it.
const conditions = ['@toolgate/source', 'node'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
    // An unhandled rejection fails the run; that is a promise of the product, not of the tests.
    dangerouslyIgnoreUnhandledErrors: false,
    testTimeout: 30_000,
    // No test file changes what another one can see, so that they can share a worker; this halves the time of a run.
    isolate: false,
    // Many tests wait for processes and connections: more workers than processors keep these busy.
    maxWorkers: 4,
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
