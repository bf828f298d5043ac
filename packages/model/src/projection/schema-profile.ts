import type { NameRule } from '../naming/name-map.ts';

/** Bounds and rules of a constrained-output mode. */
export interface StrictRules {
  /** Every member is required; optional ones are offered as nullable instead. */
  readonly nullableForOptional: boolean;
  /** Whether a schema may refer to itself. */
  readonly recursion: boolean;
  /** Object levels inside each other, the root included. */
  readonly maxObjectDepth: number;
  /** Members of all objects together. */
  readonly maxMembers: number;
  /** Values of all `enum`s together. */
  readonly maxEnumValues: number;
  /** UTF-16 units of all member names, definition names, `enum` and `const` texts together. */
  readonly maxTextLength: number;
  /** The profile that takes over for a schema that breaks these rules. */
  readonly fallback: SchemaProfile;
}

/** What one endpoint accepts as the schema of a tool's arguments. Plain data; write your own for another server. */
export interface SchemaProfile {
  /** For reports. */
  readonly id: string;
  /** Keywords that may stay; `'all'` keeps unknown ones too. */
  readonly keywords: 'all' | readonly string[];
  /** Keywords taken out even with `'all'`, for example `pattern` for a server that cannot build its grammar. */
  readonly without?: readonly string[];
  /** Keywords taken out of the root on top of that. `allOf` and unions never stay there: no known endpoint takes them. */
  readonly rootWithout?: readonly string[];
  /** Values of `format` that may stay. */
  readonly formats: 'all' | readonly string[];
  /** `inline` for endpoints without `$ref`; recursion is then cut with a leaf that takes anything. */
  readonly references: 'keep' | 'inline';
  readonly allOf: 'keep' | 'merge';
  /** `keep`: as written; `alone`: only `anyOf`, nothing but annotations beside it; `bare`: not even those. */
  readonly unions: 'keep' | 'alone' | 'bare';
  /** How a value that may be null is written: as one of several types, or `nullable` beside a single one. */
  readonly nulls: 'type' | 'keyword';
  /** Whether every schema must name its type, and only keywords of that type may stand beside it. */
  readonly typed: boolean;
  /** Whether `type` is written in capitals, as in the OpenAPI-like schema of Gemini. */
  readonly capitals?: boolean;
  /** Which values an `enum` may list. */
  readonly enumValues: 'any' | 'text' | 'text-and-number';
  /** Whether `const` is known; otherwise it becomes an `enum` of one. */
  readonly constants: boolean;
  /** Whether each array must say what its items are. */
  readonly itemsRequired: boolean;
  /** Whether an object without described members must say `properties: {}`, may say it, or must not. */
  readonly emptyProperties: 'require' | 'keep' | 'omit';
  /** Whether `required` may only name members that `properties` describes. */
  readonly requiredDescribed: boolean;
  /** Highest `minItems` that may stay. Default: every number. */
  readonly maxMinItems?: number;
  /** What a member name must look like; other names are offered under an alias. */
  readonly memberNames?: NameRule;
  readonly strict?: StrictRules;
}
