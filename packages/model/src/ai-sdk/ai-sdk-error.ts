import { ignoreThrown, type JsonObject, type JsonValue } from '@toolgate/core';
import { providerCode } from '../codec/provider-code.ts';
import { askedAgain, isUsedUp } from '../driver/asked-again.ts';
import { connectionError } from '../driver/connection-error.ts';
import { readRequestId } from '../driver/http-error.ts';
import { retryAfterMs } from '../driver/retry.ts';
import { quoted, statusError } from '../driver/status-error.ts';
import { ModelError } from '../model-error.ts';

/** What an error of the AI SDK comes to. */
export interface AiSdkFailure {
  readonly failure: ModelError;
  /** How long the provider wants to be left alone, as far as it says so. */
  readonly askedMs: number | undefined;
  /** Whether it wants to be asked again at all, where it says so. */
  readonly again: boolean | undefined;
}

/**
 * An error of a language model as a ModelError. Requests and answers that the error holds are left behind; only its
 * status, its request id and the provider's shortened message come along.
 */
export function aiSdkError(error: unknown, secrets: readonly string[], shape = '', now = 0): AiSdkFailure {
  ignoreThrown(error);
  if (ModelError.is(error)) return { failure: error, askedMs: undefined, again: undefined };
  const { name, message, statusCode, responseHeaders, usedUp, word } = readError(error);
  if (statusCode !== undefined) {
    const headers = toHeaders(responseHeaders);
    const requestId = readRequestId(headers, secrets);
    const said = quoted(message, secrets);
    return {
      failure: statusError({ status: statusCode, requestId, said, shape }),
      askedMs: retryAfterMs(headers, now),
      again: askedAgain(headers, usedUp),
    };
  }
  const failed = (
    code: 'model/not-encodable' | 'model/options-invalid' | 'model/provider-error',
  ): AiSdkFailure => {
    return {
      failure: new ModelError(
        code,
        quoted(message, secrets) || 'The provider failed.',
        word === undefined ? {} : { providerCode: word },
      ),
      askedMs: undefined,
      again: undefined,
    };
  };
  if (/^AI_(?:UnsupportedFunctionality|InvalidPrompt|InvalidArgument)Error$/.test(name))
    return failed('model/not-encodable');
  if (/^AI_(?:LoadAPIKey|LoadSetting|NoSuchModel)Error$/.test(name)) return failed('model/options-invalid');
  if (name === 'AI_APICallError' || name === 'TypeError' || name === 'AbortError')
    return { failure: connectionError(error), askedMs: undefined, again: undefined };
  return failed('model/provider-error');
}

interface ErrorFacts {
  readonly name: string;
  readonly message: string;
  readonly statusCode: number | undefined;
  readonly responseHeaders: unknown;
  /** Whether the body of the answer, as far as the SDK could read it, calls the account used up. */
  readonly usedUp: boolean;
  /** The provider's own short word, where the error is the body that it sent. */
  readonly word: string | undefined;
}

/** Reads an error that may be anything, even one that throws when it is looked at. */
function readError(error: unknown): ErrorFacts {
  const nothing = {
    name: '',
    message: '',
    statusCode: undefined,
    responseHeaders: undefined,
    usedUp: false,
    word: undefined,
  };
  if (typeof error === 'string') return { ...nothing, message: error };
  if (typeof error !== 'object' || error === null) return nothing;
  try {
    const { name, message, statusCode, responseHeaders, data } = error as Record<
      keyof ErrorFacts | 'data',
      unknown
    >;
    return {
      name: typeof name === 'string' ? name : '',
      message: typeof message === 'string' ? message : '',
      statusCode: typeof statusCode === 'number' ? statusCode : undefined,
      responseHeaders,
      usedUp: isUsedUp(data as JsonValue | undefined),
      word: error instanceof Error ? undefined : providerCode(error as JsonObject),
    };
  } catch {
    return nothing;
  }
}

function toHeaders(headers: unknown): Headers {
  try {
    return new Headers(headers as Record<string, string> | undefined);
  } catch {
    return new Headers();
  }
}
