// #region audit
import { createGate, createRedactor, defineTool, type GateEvent, ToolError } from '@toolgate/core';
import { z } from 'zod';

const lines: string[] = [];

/** One line for each decision and each end. Events hold no arguments, results or error texts, unless `content` is `full`. */
function audit(event: GateEvent): void {
  if (event.kind === 'decision') lines.push(`${event.callId} ${event.step} ${event.verdict}`);
  if (event.kind === 'call-end') lines.push(`${event.callId} ${event.tool} ${event.outcome} ${event.reason}`);
  if (event.kind === 'straggler') lines.push(`${event.callId} settled ${event.lateMs} ms late`);
}

const gate = createGate({
  tools: [logIn()],
  observe: audit,
  redact: createRedactor({ secrets: ['correct horse battery staple'] }),
});
// #endregion

function logIn() {
  return defineTool({
    name: 'log_in',
    description: 'Logs in.',
    profile: { class: 'external' },
    input: z.object({ site: z.string() }),
    execute: ({ site }) => {
      throw new ToolError(`${site} refused "correct horse battery staple" and Bearer abcdefgh12345.`);
    },
  });
}

export { gate, lines };
