import type { JsonValue } from '../../json/json-value.ts';
import type { CompiledPattern } from '../pattern/compile-pattern.ts';
import type { SchemaIndex } from '../reference/schema-index.ts';
import type { SchemaNode, SchemaTarget } from '../reference/schema-node.ts';
import type { SchemaReferences } from '../reference/schema-references.ts';
import type { Mark } from './marks.ts';
import type { Part, PartPlace } from './part.ts';
import type { Check } from './run.ts';

/** Everything that closures are made from: the walked schema and what its texts were compiled to. */
export interface Compilation {
  readonly index: SchemaIndex;
  readonly references: SchemaReferences;
  /** Matchers by the source of their pattern. */
  readonly patterns: ReadonlyMap<string, CompiledPattern>;
  /** Formats that are asserted. */
  readonly formats: ReadonlyMap<string, (text: string) => boolean>;
  /** Steps that a validation may take for each member and item of a large value. */
  readonly stepsPerPart: number;
  /** Set while `Object.prototype` has enumerable members: `for … in` then shows names that nobody sent. */
  readonly careful: boolean;
}

/** Hands out the closures of subschemas; each is made once, when it is first asked for. */
export interface CheckBuilder extends Compilation {
  /** The check of a subschema as it is applied from `from`, which may lie in another resource. */
  check(target: SchemaTarget, from: SchemaNode | undefined): Check;
  /** The check of a subschema that stands directly below `from`. */
  below(json: JsonValue, from: SchemaNode): Check;
  /** Like {@link CheckBuilder.below}, for loops over members and items. */
  part(json: JsonValue, from: SchemaNode, place?: PartPlace): Part;
  /** Like {@link CheckBuilder.check}, and records which members and items were looked at. */
  mark(target: SchemaTarget, from: SchemaNode | undefined): Mark;
  markBelow(json: JsonValue, from: SchemaNode): Mark;
}
