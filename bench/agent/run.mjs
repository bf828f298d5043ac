// Whole agent runs with a model that answers at once: what a loop costs around the model and the tools.
import { median, ratio } from '../support/measure.mjs';
import { finish, printTable, withLimit } from '../support/table.mjs';
import { measure } from './measure.mjs';
import { ANSWER, createScript, shapes } from './workload.mjs';

const LIMIT = 'limit: a bare loop, by hand';
const OWN = 'Toolgate agent.run';
/** Loaded one by one, so that a peer that does not even load is reported like one that does not run. */
const loops = {
  [LIMIT]: async () => (await import('./loops/limit.mjs')).limit,
  [OWN]: async () => (await import('./loops/toolgate.mjs')).toolgate,
  'AI SDK generateText': async () => (await import('./loops/ai-sdk.mjs')).aiSdk,
  'OpenAI Agents Runner.run': async () => (await import('./loops/openai-agents.mjs')).openaiAgents,
  'LangChain createAgent': async () => (await import('./loops/langchain.mjs')).langchain,
  'Mastra Agent.generate': async () => (await import('./loops/mastra.mjs')).mastra,
};
/** Most that four times the turns may cost; a loop whose turns all cost the same is at 4. */
const MOST_GROWTH = 4.8;

const candidates = {};
const notRun = {};
for (const [name, load] of Object.entries(loops)) {
  try {
    const make = await load();
    for (const shape of Object.values(shapes)) candidates[key(name, shape)] = await checked(make, shape);
  } catch (error) {
    if (name === LIMIT || name === OWN) throw error;
    for (const shape of Object.values(shapes)) delete candidates[key(name, shape)];
    notRun[name] = String(error).split('\n')[0];
  }
}

const times = await measure(candidates);
const { sequential, parallel, long } = shapes;
const inMs = (name, shape) => median(times[key(name, shape)]);
const inLimits = (name, shape) => 1 / ratio(times, key(LIMIT, shape), key(name, shape));
const growth = (name) => ratio(times, key(name, long), key(name, sequential));
const ran = Object.keys(loops).filter((name) => !Object.hasOwn(notRun, name));

printTable(
  'A whole run with a model that answers at once: processor time in ms, and in units of the bare loop',
  ['loop', '50 turns, ms', 'x limit', '50 calls in one turn, ms', 'x limit', '200 / 50 turns'],
  Object.keys(loops).map((name) => (ran.includes(name) ? row(name) : [name, 'not run', '', '', '', ''])),
);
for (const [name, reason] of Object.entries(notRun)) process.stdout.write(`${name}: not run: ${reason}\n`);
for (const shape of [sequential, parallel]) {
  const faster = ran.filter((name) => name !== LIMIT && inMs(name, shape) < inMs(OWN, shape));
  if (faster.length > 0) process.stdout.write(`${shape.name}: Toolgate is slower than ${faster.join(', ')}\n`);
}
finish();

function row(name) {
  const cells = [sequential, parallel].flatMap((shape) => {
    const times = inLimits(name, shape);
    return [inMs(name, shape).toFixed(inMs(name, shape) < 10 ? 3 : 1), times.toFixed(times < 100 ? 1 : 0)];
  });
  return [name, ...cells, name === OWN ? withLimit(growth(name), MOST_GROWTH) : growth(name).toFixed(2)];
}

function key(name, shape) {
  return `${name}, ${shape.name}`;
}

/** Refuses to time a loop that does not run every call once, or whose model does not get every result. */
async function checked(make, shape) {
  const script = createScript(shape);
  const run = await make(shape, script);
  const calls = shape.turns * shape.callsPerTurn;
  let last = '';
  script.begin((request) => {
    last = JSON.stringify(request);
  });
  const answer = await run();
  if (answer !== ANSWER) throw new Error(`the ${shape.name} end with ${String(answer).slice(0, 80)}`);
  if (script.ran() !== calls) throw new Error(`the ${shape.name} run ${script.ran()} of ${calls} calls`);
  if (script.asked() !== shape.turns + 1) throw new Error(`the ${shape.name} ask the model ${script.asked()} times`);
  for (let number = 1; number <= calls; number++) {
    if (!last.includes(`w${number}.`)) throw new Error(`the model does not get result ${number} of the ${shape.name}`);
  }
  return async () => {
    script.begin();
    if ((await run()) !== ANSWER || script.ran() !== calls) throw new Error(`the ${shape.name} went wrong while timed`);
  };
}
