import { appendPointer } from '../../json/json-pointer.ts';
import { formatChecks } from '../formats/format-checks.ts';
import { stringMember } from '../member.ts';
import type { Dialect } from '../schema.ts';
import { liveKeywords } from '../subschemas.ts';
import { type Draft, draftOf } from './draft.ts';
import type { IntakeNotes } from './intake-notes.ts';
import { isAnnotation, isKnownKeyword } from './known-keywords.ts';
import { type SchemaPlace, writtenPointer } from './schema-place.ts';

/** What notes are made by, and where they go. */
export interface NoteContext {
  readonly draft: Draft;
  readonly dialect: Dialect;
  readonly notes: IntakeNotes;
}

/** Whether a `$ref` hides what stands beside it, as draft-07 has it. One that is `null` leads nowhere and hides nothing. */
export function isHidden({ dialect }: NoteContext, { json }: SchemaPlace): boolean {
  return dialect === 'draft-07' && Object.hasOwn(json, '$ref') && json['$ref'] !== null;
}

/** Notes keywords and formats that mean nothing here. */
export function noteIgnored(context: NoteContext, place: SchemaPlace): void {
  const { json, parent } = place;
  for (const keyword of Object.keys(json)) {
    if (isKnownKeyword(keyword, context.dialect)) continue;
    note(context, place, 'keyword-ignored', keyword, `not a keyword of ${context.dialect}`);
  }
  const format = stringMember(json, 'format');
  if (format !== undefined && !formatChecks.has(format)) {
    note(context, place, 'format-ignored', 'format', 'not a format that is asserted');
  }
  const declared = parent === undefined ? undefined : stringMember(json, '$schema');
  if (declared !== undefined && draftOf(declared) !== context.draft) {
    note(context, place, 'keyword-ignored', '$schema', 'the dialect of the whole schema holds here too');
  }
}

/** Notes the keywords beside a `$ref` that would say something otherwise. */
export function noteHidden(context: NoteContext, place: SchemaPlace): void {
  const live = liveKeywords(place.json, context.dialect);
  for (const keyword of Object.keys(place.json)) {
    if (live.includes(keyword) || isAnnotation(keyword) || keyword.startsWith('x-')) continue;
    note(context, place, 'keyword-ignored', keyword, 'draft-07 looks past what stands beside $ref');
  }
}

function note(
  { notes }: NoteContext,
  place: SchemaPlace,
  kind: 'keyword-ignored' | 'format-ignored',
  keyword: string,
  detail: string,
): void {
  notes.add(kind, appendPointer(writtenPointer(place), keyword), detail);
}
