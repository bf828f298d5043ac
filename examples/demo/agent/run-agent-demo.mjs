// A complete agent conversation: real tools, one approval, one refusal, one redacted failure.
import { createAgent } from '@toolgate/agent';
import { createGate, createRedactor, createScope, toolOutput } from '@toolgate/core';
import { askPerson, decideByRule, ruleInWords } from '../reviewers.mjs';
import { createShow } from '../show.mjs';
import { chooseModel } from './choose-model.mjs';
import { INSTRUCTIONS, QUESTION } from './conversation.mjs';
import { createOffice } from './office.mjs';
import { createOfficeTools } from './office-tools.mjs';

const REPORTS = 'reports/';

/**
 * @param {import('../reviewers.mjs').DemoOptions & { readonly env: Readonly<Record<string, string | undefined>> }} options
 */
export async function runAgentDemo({ print, colours, signal, terminal, env }) {
  const show = createShow(colours);
  const review = terminal === undefined ? decideByRule(REPORTS) : askPerson(terminal);
  const { model, secrets, name } = await chooseModel(env);
  const office = createOffice();
  /** Argument texts by call. @type {Map<string, string>} */
  const proposals = new Map();
  /** What the model is not told, by call. @type {Map<string, unknown>} */
  const causes = new Map();

  // #region agent
  const gate = createGate({
    tools: createOfficeTools(office),
    scope: createScope({
      approvalThreshold: 'write',
      approve: async (request, call) => {
        print(show.approval(request));
        const decision = await review(request, call);
        print(show.decision(decision));
        return decision;
      },
    }),
    redact: createRedactor({ secrets }),
    content: 'full',
    observe: (event) => {
      if (event.kind === 'call-end' && event.cause !== undefined) causes.set(event.callId, event.cause);
    },
  });
  const agent = createAgent({ model, instructions: INSTRUCTIONS, gate });
  // #endregion

  print(show.heading(`2. An agent: ${name} with ${gate.tools.length} tools`));
  print(show.note(terminal === undefined ? ruleInWords(REPORTS) : 'You decide about writes and mails.'));
  print(`\n     ${QUESTION}\n`);
  try {
    let open = false;
    for await (const event of agent.stream(QUESTION, { context: {}, signal })) {
      if (event.kind === 'text-delta') {
        print(`${open ? '' : '\n     '}${show.words(event.text)}`);
        open = true;
      } else if (open) {
        print('\n');
        open = false;
      }
      if (event.kind === 'tool-start') proposals.set(event.call.id, event.call.arguments);
      if (event.kind === 'tool-end') {
        const { outcome } = event;
        print(show.proposal(outcome.name, proposals.get(outcome.callId) ?? ''));
        print(show.outcome(outcome, toolOutput(outcome).text(), causes.get(outcome.callId)));
      }
      if (event.kind === 'run-end') {
        const { stopReason, error, outcomes } = event.result;
        print(show.summary(outcomes));
        print(
          show.note(`The run ended with: ${stopReason}${error === undefined ? '' : `. ${error.message}`}`),
        );
        return event.result;
      }
    }
    throw new Error('The run had no end.');
  } finally {
    office.close();
  }
}
