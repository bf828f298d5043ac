// A model proposes thirteen calls; the gate turns each into exactly one outcome.
import { createGate, createRedactor, createScope } from '@toolgate/core';
import { askPerson, decideByRule, ruleInWords } from '../reviewers.mjs';
import { createShow } from '../show.mjs';
import { scenes } from './scenes.mjs';
import { createTools } from './tools.mjs';
import { createWorkspace } from './workspace.mjs';

const DRAFTS = '/workspace/drafts/';

/** @param {import('../reviewers.mjs').DemoOptions} options */
export async function runGateDemo({ print, colours, signal, terminal }) {
  const show = createShow(colours);
  /** @type {import('@toolgate/core').Approver} */
  const review = terminal === undefined ? decideByRule(DRAFTS) : askPerson(terminal);
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

  print(show.heading('1. A gate: what a model proposes, and what comes of it'));
  print(show.note(`${session.definitions.length} of ${gate.tools.length} tools are shown to the model.`));
  print(show.note(terminal === undefined ? ruleInWords(DRAFTS) : 'You decide about writes.'));
  /** @type {import('@toolgate/core').Outcome[]} */
  const outcomes = [];
  try {
    for (const [index, scene] of scenes.entries()) {
      print(show.call(index + 1, scene));
      const { name, arguments: text } = scene;
      const outcome = await session.execute({ id: `call-${index + 1}`, name, arguments: text });
      signal.throwIfAborted();
      print(show.outcome(outcome, textOf(outcome), outcome.cause));
      outcomes.push(outcome);
    }
    print(show.summary(outcomes));
    return { outcomes, files };
  } finally {
    await session.close();
  }
}

/** @param {import('@toolgate/core').Outcome} outcome */
function textOf(outcome) {
  return outcome.kind === 'suspended' ? '' : outcome.output.text();
}
