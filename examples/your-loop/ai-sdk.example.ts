// #region ai-sdk
import type { ApprovalRequest, GateSession, SettledOutcome } from '@toolgate/core';
import {
  generateText,
  type JSONSchema7,
  jsonSchema,
  type ModelMessage,
  type ToolResultPart,
  type ToolSet,
  wrapLanguageModel,
} from 'ai';

async function runText(
  languageModel: Parameters<typeof wrapLanguageModel>[0]['model'],
  session: GateSession,
  messages: ModelMessage[],
): Promise<readonly ApprovalRequest[]> {
  // The SDK parses arguments on its own; what the model wrote is kept before that.
  let texts: readonly string[] = [];
  const model = wrapLanguageModel({
    model: languageModel,
    middleware: {
      wrapGenerate: async ({ doGenerate }) => {
        const result = await doGenerate();
        texts = result.content.flatMap((part) => (part.type === 'tool-call' ? [part.input] : []));
        return result;
      },
    },
  });
  // Without `execute` the SDK hands the calls to you.
  const tools: ToolSet = {};
  for (const { name, description, inputSchema } of session.definitions) {
    tools[name] = { description, inputSchema: jsonSchema(inputSchema as JSONSchema7) };
  }
  for (let turn = 0; turn < 16; turn += 1) {
    const { toolCalls, responseMessages, finishReason } = await generateText({ model, messages, tools });
    messages.push(...responseMessages);
    const complete = finishReason === 'tool-calls' || finishReason === 'stop';
    if (toolCalls.length === 0) return [];
    const calls = toolCalls.flatMap(({ toolCallId: id, toolName: name, invalid }, index) =>
      // The SDK has answered calls that it could not read by itself.
      invalid === true ? [] : [{ id, name, arguments: String(texts[index]), complete }],
    );
    const outcomes = await session.executeAll(calls);
    const waiting: ApprovalRequest[] = [];
    for (const outcome of outcomes) {
      if (outcome.kind === 'suspended') waiting.push(outcome.approval);
      else messages.push({ role: 'tool', content: [toPart(outcome)] });
    }
    if (waiting.length > 0) return waiting;
  }
  throw new Error('The model asks for ever more calls.');
}

function toPart({ kind, callId, name, output }: SettledOutcome): ToolResultPart {
  const type = kind === 'completed' ? 'text' : 'error-text';
  return { type: 'tool-result', toolCallId: callId, toolName: name, output: { type, value: output.text() } };
}

// #endregion

export { runText, toPart };
