// One valid call, from argument text to the text for the model, in units of the hand-inlined floor.
import { finish, printTable, withLimit } from '../support/table.mjs';
import { measureAgainst } from './measure.mjs';
import * as paths from './paths.mjs';
import { workloads } from './workloads.mjs';

const candidates = {
  'Toolgate, handler answers at once': paths.toolgate,
  'Toolgate, asynchronous handler': paths.toolgateAsync,
  'Toolgate, approval and observer': paths.toolgateGuarded,
  'Mastra tool.execute (no text)': paths.mastra,
  'AI SDK safeParseJSON + executeTool': paths.aiSdk,
  'OpenAI Agents tool.invoke': paths.openaiAgents,
  'MCP client to server, in memory': paths.mcp,
  'LangChain parseToolCall + invoke': paths.langchain,
};
/** Most that a small governed call may cost, in units of the floor. */
const MOST = 2;
const PEERS = Object.keys(candidates).filter((name) => !name.startsWith('Toolgate'));

const columns = [];
for (const workload of workloads) columns.push(await measure(workload));

printTable(
  'One valid call, in units of the floor (JSON.parse, Ajv, direct call, JSON.stringify, by hand)',
  ['path', ...columns.map(({ title }) => title)],
  Object.keys(candidates).map((name) => [name, ...columns.map(({ cells }) => cells[name])]),
);
for (const { title, behind } of columns) {
  if (behind.length > 0) process.stdout.write(`${title}: slower than ${behind.join(', ')}\n`);
}
finish();

async function measure(workload) {
  const base = await checked('the floor', workload, paths.floor(workload));
  const made = {};
  for (const [name, make] of Object.entries(candidates)) made[name] = await checked(name, workload, await make(workload));
  const { text } = workload;
  const { floorNs, ratios } = await measureAgainst(
    () => base.call(text),
    Object.fromEntries(Object.entries(made).map(([name, { call }]) => [name, () => call(text)])),
  );
  for (const { close } of Object.values(made)) await close?.();
  const own = ratios['Toolgate, handler answers at once'].median;
  return {
    title: `${workload.name} (floor ${(floorNs / 1000).toFixed(floorNs < 10_000 ? 2 : 0)} us)`,
    behind: PEERS.filter((name) => ratios[name].median < own),
    cells: Object.fromEntries(
      Object.entries(ratios).map(([name, { median, low, high }]) => {
        const barred = workload.name === 'small' && name === 'Toolgate, handler answers at once';
        const value = barred ? withLimit(median, MOST) : median.toFixed(2);
        return [name, `${value} (${low.toFixed(2)}-${high.toFixed(2)})`];
      }),
    ),
  };
}

/** Refuses to time a path that answers something else, or that runs the tool on arguments that break the schema. */
async function checked(name, workload, path) {
  const expected = JSON.stringify(workload.run({ note: '', days: 7, ...JSON.parse(workload.text) }));
  const answer = await path.call(workload.text);
  if (answer !== expected) throw new Error(`${name} answers ${String(answer).slice(0, 80)} to the ${workload.name} call`);
  const refused = await Promise.resolve()
    .then(() => path.call(workload.wrong))
    .catch(() => undefined);
  if (refused !== undefined) throw new Error(`${name} runs the ${workload.name} tool on arguments that break its schema`);
  return path;
}
