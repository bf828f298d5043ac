import type { Dialect } from '../schema.ts';

/** A published draft of JSON Schema that is understood: implemented, or mapped onto an implemented one. */
export type Draft = Dialect | '2019-09' | 'draft-06' | 'draft-04';

const declarations: ReadonlyMap<string, Draft> = new Map([
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
  ['json-schema.org/draft-06/schema', 'draft-06'],
  ['json-schema.org/draft-04/schema', 'draft-04'],
]);

const uris: Readonly<Record<Dialect, string>> = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
};

/** The draft that a `$schema` names, with `http` or `https`, with or without an empty fragment. */
export function draftOf(declared: string): Draft | undefined {
  return declarations.get(declared.replace(/^https?:\/\//, '').replace(/#$/, ''));
}

/** The implemented dialect that reads a draft. */
export function dialectOf(draft: Draft): Dialect {
  switch (draft) {
    case '2020-12':
    case '2019-09':
      return '2020-12';
    case 'draft-07':
    case 'draft-06':
    case 'draft-04':
      return 'draft-07';
  }
}

/** The `$schema` that declares a dialect. */
export function dialectUri(dialect: Dialect): string {
  return uris[dialect];
}
