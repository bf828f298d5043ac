import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import type { JsonObject } from '@toolgate/core';
import type { Protocol } from '@toolgate/model';
import OpenAI from 'openai';
import { CLIENT_KEY } from './gateway-fixture.ts';

/** A tool as a test writes it down; each client gets it in its own form. */
export interface ClientTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

/** What a test asks for. */
export interface Question {
  readonly model: string;
  readonly text: string;
  readonly tools?: readonly ClientTool[];
  readonly stream: boolean;
  readonly key?: string;
}

/** What an official client understood of one answer. */
export interface Understood {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly finish: unknown;
  readonly usage: { readonly input: unknown; readonly output: unknown } | undefined;
}

/** Asks a gateway with the official client of a protocol. */
export type Ask = (url: string, question: Question) => Promise<Understood>;

const askChat: Ask = async (url, { key = CLIENT_KEY, model, stream, text, tools = [] }) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0, logLevel: 'off' });
  const request = {
    model,
    messages: [{ role: 'user' as const, content: text }],
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, schema }) => ({
            type: 'function' as const,
            function: { name, description, parameters: schema },
          })),
        }),
  };
  const answer = stream
    ? await client.chat.completions
        .stream({ ...request, stream_options: { include_usage: true } })
        .finalChatCompletion()
    : await client.chat.completions.create(request);
  const choice = answer.choices[0];
  return {
    text: choice?.message.content ?? '',
    calls: (choice?.message.tool_calls ?? []).flatMap((call) =>
      call.type === 'function'
        ? [{ name: call.function.name, arguments: JSON.parse(call.function.arguments) as unknown }]
        : [],
    ),
    finish: choice?.finish_reason,
    usage: answer.usage && { input: answer.usage.prompt_tokens, output: answer.usage.completion_tokens },
  };
};

const askResponses: Ask = async (url, { key = CLIENT_KEY, model, stream, text, tools = [] }) => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0, logLevel: 'off' });
  const request = {
    model,
    input: text,
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, schema }) => ({
            type: 'function' as const,
            name,
            description,
            parameters: schema as Record<string, unknown>,
            strict: false,
          })),
        }),
  };
  const answer = stream
    ? await client.responses.stream(request).finalResponse()
    : await client.responses.create(request);
  return {
    text: answer.output_text,
    calls: answer.output.flatMap((item) =>
      item.type === 'function_call'
        ? [{ name: item.name, arguments: JSON.parse(item.arguments) as unknown }]
        : [],
    ),
    finish: answer.status,
    usage: answer.usage && { input: answer.usage.input_tokens, output: answer.usage.output_tokens },
  };
};

const askAnthropic: Ask = async (url, { key = CLIENT_KEY, model, stream, text, tools = [] }) => {
  const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0, logLevel: 'off' });
  const request = {
    model,
    max_tokens: 100,
    messages: [{ role: 'user' as const, content: text }],
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, schema }) => ({
            name,
            description,
            input_schema: schema as Anthropic.Tool.InputSchema,
          })),
        }),
  };
  const answer = stream
    ? await client.messages.stream(request).finalMessage()
    : await client.messages.create(request);
  return {
    text: answer.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    calls: answer.content.flatMap((block) =>
      block.type === 'tool_use' ? [{ name: block.name, arguments: block.input }] : [],
    ),
    finish: answer.stop_reason,
    usage: { input: answer.usage.input_tokens, output: answer.usage.output_tokens },
  };
};

const askGemini: Ask = async (url, { key = CLIENT_KEY, model, stream, text, tools = [] }) => {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } });
  const request = {
    model,
    contents: text,
    ...(tools.length === 0
      ? {}
      : {
          config: {
            tools: [
              {
                functionDeclarations: tools.map(({ name, description, schema }) => ({
                  name,
                  description,
                  parametersJsonSchema: schema,
                })),
              },
            ],
          },
        }),
  };
  const answers = [];
  if (stream)
    for await (const answer of await client.models.generateContentStream(request)) answers.push(answer);
  else answers.push(await client.models.generateContent(request));
  const parts = answers.flatMap((answer) => answer.candidates?.[0]?.content?.parts ?? []);
  const usage = answers.findLast((answer) => answer.usageMetadata !== undefined)?.usageMetadata;
  return {
    text: parts.map((part) => (part.thought === true ? '' : (part.text ?? ''))).join(''),
    calls: parts.flatMap(({ functionCall }) =>
      functionCall ? [{ name: functionCall.name ?? '', arguments: functionCall.args }] : [],
    ),
    finish: answers.findLast((answer) => answer.candidates?.[0]?.finishReason)?.candidates?.[0]?.finishReason,
    usage: usage && { input: usage.promptTokenCount, output: usage.candidatesTokenCount },
  };
};

/** The official client of each protocol. */
export const ASK: Readonly<Record<Protocol, Ask>> = {
  'openai-chat': askChat,
  'openai-responses': askResponses,
  anthropic: askAnthropic,
  gemini: askGemini,
};

/** What each protocol says when an answer ended with calls, with a plain stop, and with a cut. */
export const FINISH: Readonly<
  Record<Protocol, { readonly stop: string; readonly calls: string; readonly length: string }>
> = {
  'openai-chat': { stop: 'stop', calls: 'tool_calls', length: 'length' },
  'openai-responses': { stop: 'completed', calls: 'completed', length: 'incomplete' },
  anthropic: { stop: 'end_turn', calls: 'tool_use', length: 'max_tokens' },
  gemini: { stop: 'STOP', calls: 'STOP', length: 'MAX_TOKENS' },
};
