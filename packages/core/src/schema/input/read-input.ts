import { detachSchema } from '../detach-schema.ts';
import type { InferOutput } from './infer.ts';
import type { Input, InputSource, ReadInputOptions } from './input.ts';

/** Reads an input declaration. */
export function readInput<Source extends InputSource>(
  source: Source,
  _options: ReadInputOptions = {},
): Input<InferOutput<Source>> {
  const json = detachSchema(source);
  return { json: typeof json === 'boolean' ? {} : json };
}
