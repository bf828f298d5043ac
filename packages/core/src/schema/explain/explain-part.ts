import type { JsonValue } from '../../json/json-value.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import type { Explanation } from './explanation.ts';

/** Reports what is wrong with a part of a value, for a subschema that stands directly below `from`. */
export type ExplainPart = (
  from: SchemaNode,
  json: JsonValue,
  value: JsonValue,
  pointer: string,
  explanation: Explanation,
) => void;
