import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { ResponseFormat } from '../call/model-call.ts';
import type { Loss } from '../codec/loss.ts';
import { isJsonArray, memberOf } from '../codec/wire-reader.ts';
import { ModelError } from '../model-error.ts';
import { projectSchema, type SchemaProjection } from './project-schema.ts';
import { unwrapMember } from './restore.ts';
import { restoreText } from './restore-text.ts';
import type { SchemaProfile } from './schema-profile.ts';
import { SCHEMA_PROFILES, type SchemaTarget } from './schema-profiles.ts';

/** The form of an answer as one endpoint may see it. */
export interface ProjectedFormat {
  readonly format: ResponseFormat;
  /** Paths begin with `/responseFormat/schema`. */
  readonly losses: readonly Loss[];
  /** The text of an answer as the caller's own schema means it; text that is not strict JSON comes back as it is. */
  readonly restoreText: (text: string) => string;
  /** Whether `restoreText` can change anything. */
  readonly restores: boolean;
}

/** The member under which a root that is no object is asked for. */
const MEMBER = 'value';

/**
 * Projects the schema of an answer. Everything else about a format stays as it is, and so do formats without a schema.
 * `strict` says for OpenAI whether the schema is within its strict rules; a caller's own `false` is kept.
 *
 * @param target - What the endpoint accepts for tools; what it accepts for answers follows from that.
 * @throws ModelError `model/not-encodable` for a schema that the endpoint would refuse: without it the answer could be
 *   anything.
 */
export function projectFormat(format: ResponseFormat, target: SchemaTarget | SchemaProfile): ProjectedFormat {
  if (format.kind !== 'json-schema') return unchanged(format);
  const rules = rulesFor(target, format.strict === false);
  const wrapped = wrapRoot(format.schema);
  const projection = projectSchema(wrapped ?? format.schema, rules.target);
  const losses = projection.losses.map((loss) => relocate(loss));
  if (projection.fit === 'unfit') throw unfit(projection);
  const { schema, fit } = projection;
  const strict = rules.says ? { strict: fit === 'strict' } : {};
  const unwrap = unwrapMember(MEMBER);
  const restore = (value: JsonValue): JsonValue =>
    wrapped === undefined ? projection.restore(value) : unwrap(projection.restore(value));
  return Object.freeze({
    format: Object.freeze({ ...format, schema, ...strict }),
    losses: Object.freeze(wrapped === undefined ? losses : [WRAPPED, ...losses]),
    restoreText: (text: string) => restoreText(text, { restore }),
    restores: projection.restores || wrapped !== undefined,
  });
}

const WRAPPED: Loss = Object.freeze({
  code: 'relocated',
  path: '/responseFormat/schema',
  severity: 'info',
  detail: 'an answer that is no object is asked for under one member',
});

function unchanged(format: ResponseFormat): ProjectedFormat {
  return Object.freeze({ format, losses: [], restoreText: (text: string) => text, restores: false });
}

/** What an endpoint accepts for answers, and whether the request says if that is strict. */
function rulesFor(
  target: SchemaTarget | SchemaProfile,
  isLoose: boolean,
): { readonly target: SchemaTarget | SchemaProfile; readonly says: boolean } {
  // Anthropic's answers are always within the rules of its strict mode; Gemini's have a member of their own.
  if (target === 'anthropic') return { target: 'anthropic-strict', says: false };
  if (target === 'gemini') return { target: 'gemini-json', says: false };
  const { strict } = typeof target === 'string' ? SCHEMA_PROFILES[target] : target;
  if (strict === undefined || target === 'anthropic-strict') return { target, says: false };
  return isLoose ? { target: strict.fallback, says: false } : { target, says: true };
}

/** The schema under one member, where its root is certainly no object. `undefined` where it may stay or cannot move. */
function wrapRoot(schema: JsonObject): JsonObject | undefined {
  const type = memberOf(schema, 'type');
  const types = isJsonArray(type) ? type : [type];
  if (type === undefined || types.includes('object') || !hasMovableReferences(schema)) return undefined;
  const { $schema, $defs, definitions, ...inner } = schema;
  return {
    ...($schema === undefined ? {} : { $schema }),
    type: 'object',
    properties: { [MEMBER]: inner },
    required: [MEMBER],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

/** Whether every reference leads to a definition, which stays where it is. */
function hasMovableReferences(value: JsonValue): boolean {
  if (isJsonArray(value)) return value.every(hasMovableReferences);
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(([name, member]) => {
    if (name !== '$ref' || typeof member !== 'string') return hasMovableReferences(member);
    return /^#\/(?:\$defs|definitions)\//.test(member);
  });
}

function relocate(loss: Loss): Loss {
  return Object.freeze({ ...loss, path: `/responseFormat/schema${loss.path}` });
}

function unfit({ losses }: SchemaProjection): ModelError {
  const refused = losses.findLast(({ code }) => code === 'refused');
  return new ModelError(
    'model/not-encodable',
    `The provider would refuse the schema of the answer: ${refused?.detail ?? 'it does not fit'}.`,
    { pointer: `/responseFormat/schema${refused?.path ?? ''}` },
  );
}
