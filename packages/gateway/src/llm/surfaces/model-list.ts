import type { JsonObject } from '@toolgate/core';

/** Which client reads a list of models. */
export type ModelListShape = 'openai' | 'anthropic' | 'gemini';

const OWNER = 'toolgate';
/** No model of a route has a birthday; clients want one. */
const EPOCH = '1970-01-01T00:00:00Z';

/** The names of models as a client's library knows such a list. */
export function modelList(shape: ModelListShape, names: readonly string[]): JsonObject {
  const data = names.map((name) => modelEntry(shape, name));
  switch (shape) {
    case 'openai':
      return { object: 'list', data };
    case 'anthropic':
      return { data, has_more: false, first_id: names[0] ?? null, last_id: names.at(-1) ?? null };
    case 'gemini':
      return { models: data };
  }
}

/** One model as a client's library knows it. */
export function modelEntry(shape: ModelListShape, name: string): JsonObject {
  switch (shape) {
    case 'openai':
      return { id: name, object: 'model', created: 0, owned_by: OWNER };
    case 'anthropic':
      return { type: 'model', id: name, display_name: name, created_at: EPOCH };
    case 'gemini':
      return {
        name: `models/${name}`,
        displayName: name,
        supportedGenerationMethods: ['generateContent'],
      };
  }
}
