import type {
  LanguageModelV4CustomContent,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolResult,
} from '@ai-sdk/provider';
import { type JsonObject, type JsonValue, readJson, writeJson } from '@toolgate/core';
import type { ForeignItem } from '../call/item.ts';
import { ModelError } from '../model-error.ts';

/** A call that the provider runs itself, in the form in which a prompt gives it back. */
export function keepCall(part: LanguageModelV4ToolCall): ForeignItem {
  const { toolCallId, toolName, input, providerMetadata } = part;
  let value: JsonValue;
  try {
    value = readJson(input, {
      maxBytes: 'none',
      maxDepth: 256,
      inexactIntegers: 'allow',
      noncharacters: 'allow',
    });
  } catch {
    // Nobody runs it here, so its text may stay what it is.
    value = input;
  }
  return keep({
    type: 'tool-call',
    toolCallId,
    toolName,
    input: value,
    providerExecuted: true,
    ...kept(providerMetadata),
  });
}

/** The result of such a call. */
export function keepResult(part: LanguageModelV4ToolResult): ForeignItem {
  const { toolCallId, toolName, result, isError, providerMetadata } = part;
  return keep({
    type: 'tool-result',
    toolCallId,
    toolName,
    output: { type: isError === true ? 'error-json' : 'json', value: toJson(result) },
    ...kept(providerMetadata),
  });
}

/** A part of a kind that only one provider knows. */
export function keepCustom({ kind, providerMetadata }: LanguageModelV4CustomContent): ForeignItem {
  return keep({ type: 'custom', kind, ...kept(providerMetadata) });
}

function keep(value: JsonObject): ForeignItem {
  return Object.freeze({ kind: 'foreign', protocol: 'ai-sdk', role: 'assistant', value });
}

function kept(metadata: LanguageModelV4ToolCall['providerMetadata']): JsonObject {
  return metadata === undefined ? {} : { providerOptions: toJson(metadata) };
}

/** A value of a provider as strict JSON of our own. @throws ModelError `model/stream-invalid`. */
function toJson(value: unknown): JsonValue {
  try {
    return readJson(writeJson(value, { maxBytes: 'none', maxDepth: 256 }), {
      maxBytes: 'none',
      maxDepth: 256,
    });
  } catch (cause) {
    throw new ModelError('model/stream-invalid', 'A part of the stream holds something that is not JSON.', {
      cause,
    });
  }
}
