import type { Dialect } from '../schema.ts';
import type { IntakeNotes } from './intake-notes.ts';
import { isAssertion } from './known-keywords.ts';
import { type SchemaPlace, writtenPointer } from './schema-place.ts';

/** Where a subschema says what a named member or an item is. Elsewhere a schema that takes anything is a choice. */
const slot = /^\/(?:properties\/|prefixItems\/|items(?:\/|$))/;

/** Notes a member or an item of any type: a model tends to write an object in such a place as text. */
export function noteUntyped(notes: IntakeNotes, place: SchemaPlace, dialect: Dialect): void {
  if (!slot.test(place.path)) return;
  if (Object.keys(place.json).some((keyword) => isAssertion(keyword, dialect))) return;
  notes.add('untyped', writtenPointer(place), 'a value of any type is let through');
}
