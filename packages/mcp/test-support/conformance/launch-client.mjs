/** What the suite starts as the client: it hands the work to the test, which has everything loaded already. */
const [, , runner = '', server = ''] = process.argv;
const response = await fetch(runner, {
  method: 'POST',
  body: JSON.stringify({
    url: server,
    revision: process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] ?? '2025-11-25',
    context: process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}',
  }),
});
process.stdout.write(await response.text());
process.exitCode = response.ok ? 0 : 1;
