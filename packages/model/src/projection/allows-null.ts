import { isJsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray, memberOf } from '../codec/wire-reader.ts';
import type { References } from './references.ts';

/** Schemas visited before the answer is given up; such a schema is taken to allow `null`, so that no value is changed. */
const MAX_STEPS = 1000;

/**
 * Whether a schema accepts the value `null`, as the original contract would judge it. Only the keywords that apply to
 * `null` count (JSON Schema 2020-12 validation, section 6; the others ignore values of another type).
 */
export function allowsNull(schema: JsonValue, references: References): boolean {
  let steps = 0;
  const visiting = new Set<string>();

  const follow = (reference: JsonValue): boolean => {
    if (typeof reference !== 'string') return true;
    const target = references.resolve(reference);
    if (target === undefined || visiting.has(target.pointer)) return true;
    visiting.add(target.pointer);
    const verdict = judge(target.schema);
    visiting.delete(target.pointer);
    return verdict;
  };

  const judge = (node: JsonValue): boolean => {
    steps += 1;
    if (steps > MAX_STEPS) return true;
    if (!isJsonObject(node)) return node !== false;
    for (const keyword of ['$ref', '$recursiveRef', '$dynamicRef']) {
      const reference = memberOf(node, keyword);
      if (reference !== undefined && !follow(reference)) return false;
    }
    const { type, not } = node;
    if (type !== undefined && type !== 'null' && type !== 'any' && !(isJsonArray(type) && allowsType(type))) {
      return false;
    }
    if (isJsonArray(node['enum']) && !node['enum'].includes(null)) return false;
    if (Object.hasOwn(node, 'const') && node['const'] !== null) return false;
    if (isJsonArray(node['allOf']) && !node['allOf'].every(judge)) return false;
    if (isJsonArray(node['anyOf']) && !node['anyOf'].some(judge)) return false;
    if (isJsonArray(node['oneOf']) && node['oneOf'].filter(judge).length !== 1) return false;
    if (not !== undefined && judge(not)) return false;
    const branch = node['if'] === undefined ? undefined : judge(node['if']) ? node['then'] : node['else'];
    return branch === undefined || judge(branch);
  };
  return judge(schema);
}

function allowsType(types: readonly JsonValue[]): boolean {
  return types.includes('null') || types.includes('any');
}
