import { ANSWER } from '../workload.mjs';

/** The options of a mock language model of the AI SDK that follows a script, streamed or not. */
export function modelOptions(script) {
  return {
    doGenerate: async ({ prompt }) => {
      const calls = script.next(prompt);
      return { content: contentOf(calls), finishReason: finishOf(calls), usage: USAGE, warnings: [] };
    },
    doStream: async ({ prompt }) => {
      const calls = script.next(prompt);
      return { stream: ReadableStream.from(partsOf(calls)) };
    },
  };
}

const USAGE = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
};

function contentOf(calls) {
  if (calls.length === 0) return [{ type: 'text', text: ANSWER }];
  return calls.map(({ id, name, text }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: text }));
}

function finishOf({ length }) {
  return { unified: length === 0 ? 'stop' : 'tool-calls', raw: undefined };
}

function partsOf(calls) {
  const content =
    calls.length > 0
      ? contentOf(calls)
      : [
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: ANSWER },
          { type: 'text-end', id: 't' },
        ];
  return [
    { type: 'stream-start', warnings: [] },
    ...content,
    { type: 'finish', finishReason: finishOf(calls), usage: USAGE },
  ];
}
