// Real MCP servers behind the gate: only what was reviewed is offered, and a change after the review has no effect.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { createGate, createScope } from '@toolgate/core';
import { mountMcp, readLock, readMcpConfig } from '@toolgate/mcp';
import { askPerson, decideByRule, ruleInWords } from '../reviewers.mjs';
import { createShow } from '../show.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const DRAFTS = 'drafts/';

const SCENES = /** @type {const} */ ([
  { title: 'a read of a real file', name: 'files__read_text_file', arguments: '{"path":"notes/launch.md"}' },
  {
    title: 'a read outside of the folder',
    name: 'files__read_text_file',
    arguments: '{"path":"/etc/hosts"}',
  },
  {
    title: 'a write that needs a yes',
    name: 'files__write_file',
    arguments: '{"path":"drafts/plan.md","content":"Launch on Thursday.\\n"}',
  },
  { title: 'a sum by another server', name: 'everything__get-sum', arguments: '{"a":2,"b":3}' },
]);

/** @param {import('../reviewers.mjs').DemoOptions} options */
export async function runMcpDemo({ print, colours, signal, terminal }) {
  const show = createShow(colours);
  const review = terminal === undefined ? decideByRule(DRAFTS) : askPerson(terminal);
  const folder = await createSandbox();
  /** @type {import('@toolgate/mcp').McpMount[]} */
  const mounts = [];
  try {
    print(show.heading('3. MCP servers: what was reviewed, and nothing else'));
    print(
      show.note(
        "Four servers are started from an editor's configuration and held against toolgate.lock.json.",
      ),
    );
    mounts.push(...(await mountAll(folder, '1', signal)));
    for (const { report } of mounts) print(show.drift(report.drift));

    // #region gate
    const gate = createGate({
      tools: mounts.flatMap(({ tools }) => tools),
      scope: createScope({
        approvalThreshold: 'write',
        approve: async (request, call) => {
          print(show.approval(request));
          const decision = await review(request, call);
          print(show.decision(decision));
          return decision;
        },
      }),
    });
    // #endregion
    print(show.note(terminal === undefined ? ruleInWords(DRAFTS) : 'You decide about writes.'));
    const outcomes = await callAll(gate, SCENES, { print, show, signal });

    print(`\n${show.note('Day 15: the mail server is started again.')}`);
    const [changed] = await mountAll(folder, '15', signal, ['mail']);
    if (changed === undefined) throw new Error('The mail server is missing.');
    mounts.push(changed);
    print(show.drift(changed.report.drift));
    const later = createGate({ tools: changed.tools });
    const scene = {
      title: 'a call of the changed tool',
      name: 'mail__send_email',
      arguments: '{"to":"a@b.test","body":"Hi"}',
    };
    outcomes.push(...(await callAll(later, [scene], { print, show, signal })));
    print(show.summary(outcomes));
    return { outcomes, reports: mounts.map(({ report }) => report) };
  } finally {
    await Promise.all(mounts.map((mount) => mount.close()));
    await rm(folder, { recursive: true, force: true });
  }
}

/** A folder that a server may use, and nothing of the user's. */
async function createSandbox() {
  const folder = await mkdtemp(join(tmpdir(), 'toolgate-demo-'));
  for (const name of ['notes', 'drafts']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'notes', 'launch.md'), 'The launch is on Wednesday.\n');
  return folder;
}

/**
 * @param {string} folder
 * @param {string} day
 * @param {AbortSignal} signal
 * @param {readonly string[]} [only]
 */
async function mountAll(folder, day, signal, only) {
  // #region mount
  const config = readMcpConfig(await readFile(join(HERE, 'mcp.jsonc'), 'utf8'), {
    env: { ...process.env, DEMO_FOLDER: folder, DAY: day },
    folder: HERE,
  });
  const file = readLock(await readFile(join(HERE, config.lock.file)));
  const servers = config.servers.filter(({ name }) => only === undefined || only.includes(name));
  const settled = await Promise.allSettled(
    servers.map(({ mountName, transport, rules }) => {
      if (transport.kind === 'unsupported') throw new Error(transport.reason);
      return mountMcp({
        name: mountName,
        transport,
        rules: readRules(rules),
        lock: { mode: 'require', file },
        prefix: true,
        signal,
      });
    }),
  );
  // #endregion
  const mounts = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const fault = settled.find((each) => each.status === 'rejected');
  if (fault === undefined) return mounts;
  await Promise.all(mounts.map((mount) => mount.close()));
  throw fault.reason;
}

/** A rule of a file says yes or no where one of a program has a function. @param {readonly import('@toolgate/mcp').ToolRuleConfig[]} rules */
function readRules(rules) {
  return rules.map(({ available, ...rule }) =>
    available === undefined ? rule : { ...rule, available: () => available },
  );
}

/**
 * @param {import('@toolgate/core').Gate} gate
 * @param {readonly import('../gate/scenes.mjs').Scene[]} scenes
 * @param {{ readonly print: (text: string) => void, readonly show: ReturnType<typeof createShow>, readonly signal: AbortSignal }} view
 */
async function callAll(gate, scenes, { print, show, signal }) {
  const session = await gate.open({ context: {}, signal });
  /** @type {import('@toolgate/core').Outcome[]} */
  const outcomes = [];
  try {
    for (const [index, scene] of scenes.entries()) {
      print(show.call(index + 1, scene));
      const { name, arguments: text } = scene;
      const outcome = await session.execute({ id: `call-${index + 1}`, name, arguments: text });
      signal.throwIfAborted();
      print(show.outcome(outcome, outcome.kind === 'suspended' ? '' : outcome.output.text()));
      outcomes.push(outcome);
    }
    return outcomes;
  } finally {
    await session.close();
  }
}
