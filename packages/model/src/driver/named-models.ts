import { anthropic } from '../anthropic/anthropic.ts';
import type { Codec } from '../codec/codec.ts';
import { createGeminiCodec } from '../gemini/gemini.ts';
import type { Model } from '../model.ts';
import { ModelError } from '../model-error.ts';
import { openaiChat } from '../openai-chat/openai-chat.ts';
import { openaiResponses } from '../openai-responses/openai-responses.ts';
import { createHttpModel } from './http-model.ts';
import type { HttpModelConfig } from './http-model-config.ts';

/** How to reach a model whose protocol is known. Without `baseUrl` it is the provider's own, and a key is needed. */
export type NamedModelConfig = Omit<HttpModelConfig, 'codec'>;

/** Settings of {@link createGeminiModel}. */
export interface GeminiModelConfig extends NamedModelConfig {
  /** The member in which tool schemas are sent. Default `parametersJsonSchema`; `parameters` is for older endpoints. */
  readonly schemaMember?: 'parametersJsonSchema' | 'parameters';
}

/**
 * A model that speaks OpenAI Chat Completions: OpenAI itself, and with a `baseUrl` most other servers, for example
 * `http://localhost:11434/v1` (Ollama), `http://localhost:8000/v1` (vLLM), `http://localhost:8080/v1` (llama.cpp) and
 * `http://localhost:1234/v1` (LM Studio). Azure takes `auth: 'api-key'` and a `baseUrl` such as
 * `https://NAME.openai.azure.com/openai/deployments/NAME?api-version=VERSION`.
 *
 * @throws ModelError `model/options-invalid`.
 */
export function createOpenaiChatModel(config: NamedModelConfig): Model {
  return create(openaiChat, config);
}

/** A model that speaks OpenAI Responses. @throws ModelError `model/options-invalid`. */
export function createOpenaiResponsesModel(config: NamedModelConfig): Model {
  return create(openaiResponses, config);
}

/** A model that speaks Anthropic Messages. @throws ModelError `model/options-invalid`. */
export function createAnthropicModel(config: NamedModelConfig): Model {
  return create(anthropic, config);
}

/** A model that speaks Gemini generateContent. @throws ModelError `model/options-invalid`. */
export function createGeminiModel({ schemaMember, ...config }: GeminiModelConfig): Model {
  return create(createGeminiCodec(schemaMember === undefined ? {} : { schemas: schemaMember }), config);
}

function create(codec: Codec, config: NamedModelConfig): Model {
  if (config.baseUrl === undefined && config.apiKey === undefined && config.headers === undefined) {
    throw new ModelError(
      'model/options-invalid',
      'apiKey is missing; for a local server, which needs none, set baseUrl',
    );
  }
  return createHttpModel({ ...config, codec });
}
