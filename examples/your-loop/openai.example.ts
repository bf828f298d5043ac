// #region openai
import type { ApprovalRequest, GateSession, SettledOutcome, ToolCall } from '@toolgate/core';
import type OpenAI from 'openai';

/** Goes on with a conversation until the model answers, or a call waits: then its result has to come first. */
async function runChat(
  client: OpenAI,
  session: GateSession,
  messages: OpenAI.ChatCompletionMessageParam[],
): Promise<readonly ApprovalRequest[]> {
  const tools = session.definitions.map(({ name, description, inputSchema }) => ({
    type: 'function' as const,
    function: { name, description, parameters: inputSchema },
  }));
  for (let turn = 0; turn < 16; turn += 1) {
    const { choices } = await client.chat.completions.create({ model: 'NAME', messages, tools });
    const [choice] = choices;
    if (choice === undefined) throw new Error('The provider gave no answer.');
    messages.push(choice.message);
    const complete = choice.finish_reason === 'tool_calls' || choice.finish_reason === 'stop';
    const calls = (choice.message.tool_calls ?? []).map((call): ToolCall => {
      const { name, text } =
        call.type === 'function'
          ? { name: call.function.name, text: call.function.arguments }
          : { name: call.custom.name, text: call.custom.input };
      return { id: call.id, name, arguments: text, complete };
    });
    if (calls.length === 0) return [];
    const outcomes = await session.executeAll(calls);
    const waiting: ApprovalRequest[] = [];
    for (const outcome of outcomes) {
      if (outcome.kind === 'suspended') waiting.push(outcome.approval);
      else messages.push(toToolMessage(outcome));
    }
    if (waiting.length > 0) return waiting;
  }
  throw new Error('The model asks for ever more calls.');
}

function toToolMessage({ callId, output }: SettledOutcome): OpenAI.ChatCompletionToolMessageParam {
  return { role: 'tool', tool_call_id: callId, content: output.text() };
}

// #endregion

export { runChat, toToolMessage };
