// A model proposes thirteen calls; the gate turns each into exactly one outcome.
import { createGate, createRedactor, createScope } from '@toolgate/core';
import { askPerson, decideByRule, RULE } from './reviewers.mjs';
import { scenes } from './scenes.mjs';
import { createShow } from './show.mjs';
import { createTools } from './tools.mjs';
import { createWorkspace } from './workspace.mjs';

/**
 * Runs the demonstration.
 *
 * @param {object} options
 * @param {(text: string) => void} options.print
 * @param {boolean} options.colours
 * @param {AbortSignal} options.signal
 * @param {{ input: import('node:stream').Readable, output: import('node:stream').Writable }} [options.terminal] Where a person decides;
 * without it the written rule does.
 */
export async function runDemo({ print, colours, signal, terminal }) {
  const show = createShow(colours);
  /** @type {import('@toolgate/core').Approver} */
  const review = terminal === undefined ? decideByRule : askPerson(terminal);
  const files = createWorkspace();

  // #region gate
  const scope = createScope({
    deny: ['move_file'],
    approvalThreshold: 'write',
    approve: async (request, call) => {
      print(show.approval(request));
      const decision = await review(request, call);
      print(show.decision(decision));
      return decision;
    },
  });
  const gate = createGate({ tools: createTools(files), scope, redact: createRedactor() });
  const session = await gate.open({ context: {}, signal });
  // #endregion

  print(show.heading('Toolgate: what a model proposes, and what comes of it'));
  print(show.note(`${session.definitions.length} of ${gate.tools.length} tools are shown to the model.`));
  print(
    show.note(
      terminal === undefined ? `No terminal, so a rule decides: ${RULE}.` : 'You decide about writes.',
    ),
  );
  /** @type {import('@toolgate/core').Outcome[]} */
  const outcomes = [];
  try {
    for (const [index, scene] of scenes.entries()) {
      print(show.call(index + 1, scene));
      const { name, arguments: text } = scene;
      const outcome = await session.execute({ id: `call-${index + 1}`, name, arguments: text });
      signal.throwIfAborted();
      print(show.outcome(outcome));
      outcomes.push(outcome);
    }
    print(show.summary(outcomes));
    return { outcomes, files };
  } finally {
    await session.close();
  }
}
