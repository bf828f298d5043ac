import { appendPointer, type JsonObject, type JsonValue } from '@toolgate/core';
import type { LossSeverity } from '../codec/loss.ts';
import { memberOf, setMember } from '../codec/wire-reader.ts';
import { keeps } from './leaf.ts';
import { restate, withNotes } from './restate.ts';
import type { Place, Walk } from './walk.ts';

/** A projected schema while it is written. */
export interface Draft {
  set(keyword: string, value: JsonValue): void;
  /** The keyword as written in the source. */
  source(keyword: string): JsonValue | undefined;
  /** Leaves a keyword out: a loss, and words in the description where they help. */
  drop(keyword: string): void;
  /** Leaves a keyword out that needs no words. */
  omit(keyword: string, severity: LossSeverity): void;
  /** Adds words to the description. */
  note(text: string): void;
  /** The schema, with its description and what was noted. */
  finish(): JsonObject;
}

/** Keywords that constrain values (JSON Schema 2020-12, applicator and validation vocabularies); the others describe. */
const CONSTRAINTS: ReadonlySet<string> = new Set([
  'additionalProperties',
  'const',
  'contains',
  'dependentRequired',
  'dependentSchemas',
  'else',
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'if',
  'items',
  'maxContains',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minContains',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'not',
  'oneOf',
  'pattern',
  'patternProperties',
  'prefixItems',
  'properties',
  'propertyNames',
  'required',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
  'uniqueItems',
]);

/** Starts an empty draft for one schema. */
export function createDraft(node: JsonObject, place: Place, walk: Walk): Draft {
  const schema: Record<string, JsonValue> = {};
  const notes: string[] = [];
  const description = memberOf(node, 'description');

  const omit = (keyword: string, severity: LossSeverity): void => {
    walk.log.add(
      'dropped',
      appendPointer(place.pointer, keyword),
      severity,
      'the endpoint does not accept this keyword or its value',
    );
  };
  return {
    set: (keyword, value) => {
      setMember(schema, keyword, value);
    },
    source: (keyword) => memberOf(node, keyword),
    omit,
    drop(keyword) {
      omit(keyword, CONSTRAINTS.has(keyword) ? 'warning' : 'info');
      const words = restate(keyword, memberOf(node, keyword) ?? null);
      if (words !== undefined) notes.push(words);
    },
    note: (text) => {
      notes.push(text);
    },
    finish() {
      const text = withNotes(description, notes);
      if (text === undefined || !keeps('description', walk.profile)) return schema;
      const { type, ...rest } = schema;
      return { ...(type === undefined ? {} : { type }), description: text, ...rest };
    },
  };
}
