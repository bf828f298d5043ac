// #region anthropic
import type Anthropic from '@anthropic-ai/sdk';
import type { ApprovalRequest, GateSession, SettledOutcome } from '@toolgate/core';

async function runMessages(
  client: Anthropic,
  session: GateSession,
  messages: Anthropic.MessageParam[],
): Promise<readonly ApprovalRequest[]> {
  const tools = session.definitions.map(
    ({ name, description, inputSchema }): Anthropic.Tool => ({
      name,
      description,
      input_schema: { ...inputSchema, type: 'object' },
    }),
  );
  for (let turn = 0; turn < 16; turn += 1) {
    const answer = await client.messages.create({ model: 'NAME', max_tokens: 4_096, messages, tools });
    messages.push({ role: 'assistant', content: answer.content });
    const complete = answer.stop_reason === 'tool_use';
    const calls = answer.content
      .filter((block) => block.type === 'tool_use')
      .map(({ id, name, input }) => ({ id, name, arguments: JSON.stringify(input), complete }));
    if (calls.length === 0) return [];
    const outcomes = await session.executeAll(calls);
    const waiting: ApprovalRequest[] = [];
    const results: Anthropic.ToolResultBlockParam[] = [];
    for (const outcome of outcomes) {
      if (outcome.kind === 'suspended') waiting.push(outcome.approval);
      else results.push(toResult(outcome));
    }
    // All results of a turn stand in one message. What waits is added to it when it is decided.
    messages.push({ role: 'user', content: results });
    if (waiting.length > 0) return waiting;
  }
  throw new Error('The model asks for ever more calls.');
}

function toResult({ kind, callId, output }: SettledOutcome): Anthropic.ToolResultBlockParam {
  return { type: 'tool_result', tool_use_id: callId, content: output.text(), is_error: kind !== 'completed' };
}

// #endregion

export { runMessages, toResult };
