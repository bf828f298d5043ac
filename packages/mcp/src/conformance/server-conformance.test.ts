import { afterAll, beforeAll, expect, test } from 'vitest';
import { everythingService } from '../../test-support/conformance/everything-service.ts';
import { expectedFailures, failuresOf } from '../../test-support/conformance/expected-failures.ts';
import { runSuite, SUITE_REVISIONS } from '../../test-support/conformance/run-suite.ts';
import type { McpService } from '../serve/serve-mcp.ts';

let service: McpService;
let url = '';
beforeAll(async () => {
  service = everythingService();
  url = (await service.listen()).url;
});
afterAll(() => service.close());

test.each(SUITE_REVISIONS)(
  'of the server scenarios for %s, those fail that are listed with a reason, and no other',
  async (revision) => {
    const verdicts = await runSuite('server', revision, ['--url', url]);
    expect(verdicts.length).toBeGreaterThan(30);
    expect(failuresOf(verdicts).toSorted()).toEqual((await expectedFailures('server', revision)).toSorted());
    const passed = verdicts.length - failuresOf(verdicts).length;
    console.info(`Conformance, server, ${revision}: ${passed} of ${verdicts.length} scenarios pass.`);
  },
  180_000,
);
