import type { JsonValue } from '@toolgate/core';
import type { ResponseWriter } from '../event/response-writer.ts';
import { ModelError } from '../model-error.ts';
import { providerCode } from './provider-code.ts';

/** What an error body means. Only the provider's short word goes on; its sentences are not ours to pass on. */
export function providerError(error: JsonValue | undefined): ModelError {
  const word = providerCode(error);
  const suffix = word === undefined ? '' : ` (${word})`;
  return new ModelError('model/provider-error', `The provider reported an error${suffix}.`, {
    pointer: '/error',
    ...(word === undefined ? {} : { providerCode: word }),
  });
}

/** Ends a streamed answer with the error that the provider reported in it. */
export function failAsReported(
  writer: ResponseWriter,
  error: JsonValue | undefined,
  fallback?: string,
): void {
  writer.fail(
    'model/provider-error',
    'The provider reported an error in its stream.',
    providerCode(error) ?? fallback,
  );
}
