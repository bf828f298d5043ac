import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClientRunner, startClientRunner } from '../../test-support/conformance/client-runner.ts';
import { expectedFailures, failuresOf } from '../../test-support/conformance/expected-failures.ts';
import { runSuite, SUITE_REVISIONS } from '../../test-support/conformance/run-suite.ts';

let runner: ClientRunner;
beforeAll(async () => {
  runner = await startClientRunner(3);
});
afterAll(() => runner.close());

test.each(SUITE_REVISIONS)(
  'of the client scenarios for %s, those fail that are listed with a reason, and no other',
  async (revision) => {
    const verdicts = await runSuite('client', revision, ['--command', runner.command]);
    expect(verdicts.length).toBeGreaterThan(15);
    expect(failuresOf(verdicts).toSorted()).toEqual((await expectedFailures('client', revision)).toSorted());
    const passed = verdicts.length - failuresOf(verdicts).length;
    console.info(`Conformance, client, ${revision}: ${passed} of ${verdicts.length} scenarios pass.`);
  },
  180_000,
);
