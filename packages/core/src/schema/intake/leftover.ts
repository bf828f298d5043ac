import type { JsonObject } from '../../json/json-value.ts';
import type { Dialect } from '../schema.ts';
import type { Draft } from './draft.ts';
import type { OwnedSchema } from './schema-place.ts';

/** What a rule may know besides the subschema itself. */
export interface LeftoverContext {
  readonly dialect: Dialect;
  readonly draft: Draft;
  readonly isRoot: boolean;
  /** The object schema that has this one as a member, and the member's name. */
  readonly memberOf?: { readonly schema: OwnedSchema; readonly name: string };
  /** The subschema whose `$id` gives the base. */
  readonly resource: JsonObject;
}

/** A form of another draft, or of OpenAPI, that real schemas carry into the implemented dialects. */
export interface Leftover {
  /** The keyword that is noted. */
  readonly keyword: string;
  /** Drafts in which the form is right, so that turning it into the dialect's own is no news. */
  readonly native: readonly Draft[];
  /** What is done, for the note. */
  readonly detail: string;
  /** Whether only schemas of strangers are read so; whoever wrote a schema of ours learns of it. */
  readonly foreign?: true;
  /** The keyword that subschemas are moved to, by the keyword they were under. */
  readonly moves?: ReadonlyMap<string, string>;
  isIn(json: JsonObject, dialect: Dialect): boolean;
  replace(schema: OwnedSchema, context: LeftoverContext): void;
}
