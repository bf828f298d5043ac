import { isJsonObject } from '../../json/is-json-object.ts';
import { listMember, member } from '../member.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import { dependentSchemas } from './applicator-checks.ts';
import type { CheckBuilder } from './check-builder.ts';
import { pickDynamic } from './dynamic-scope.ts';
import { addMarks, type Mark, noMarks } from './marks.ts';
import { has } from './required-check.ts';
import { spend } from './run.ts';

/**
 * The keywords of a node that apply other subschemas to the same value, for use below `unevaluated…`: every branch
 * that matches counts, so none is skipped (2020-12 Core 11).
 */
export function applicatorMarks(node: SchemaNode, builder: CheckBuilder): readonly Mark[] {
  const { json } = node;
  const marks: Mark[] = [];
  const below = (keyword: string): readonly Mark[] =>
    listMember(json, keyword).map((item) => builder.markBelow(item, node));

  marks.push(...referenceMarks(node, builder));
  marks.push(...below('allOf').map(charged));
  const anyOf = below('anyOf');
  if (anyOf.length > 0) marks.push(branches(anyOf, (matches) => matches > 0));
  const oneOf = below('oneOf');
  if (oneOf.length > 0) marks.push(branches(oneOf, (matches) => matches === 1));
  const not = member(json, 'not');
  if (not !== undefined) {
    const check = builder.below(not, node);
    marks.push(charged((value, run) => !check(value, run)));
  }
  const condition = conditionMark(node, builder);
  if (condition !== undefined) marks.push(condition);
  for (const [name, dependent] of dependentSchemas(node)) {
    const mark = charged(builder.markBelow(dependent, node));
    marks.push((value, run, seen) => !isJsonObject(value) || !has(value, name) || mark(value, run, seen));
  }
  return marks;
}

/** `$ref` and `$dynamicRef`. */
export function referenceMarks(node: SchemaNode, builder: CheckBuilder): readonly Mark[] {
  const marks: Mark[] = [];
  const target = builder.references.static.get(node);
  if (target !== undefined) marks.push(charged(builder.mark(target, node)));
  const dynamic = builder.references.dynamic.get(node);
  if (dynamic !== undefined) {
    const { anchor } = dynamic;
    if (anchor === undefined) marks.push(charged(builder.mark(dynamic.target, node)));
    else {
      marks.push(
        charged((value, run, seen) =>
          builder.mark(pickDynamic(run, anchor, dynamic.target), node)(value, run, seen),
        ),
      );
    }
  }
  return marks;
}

/** Marks keep sets, so their steps are worth several plain ones. */
const price = 8;

function charged(mark: Mark): Mark {
  return (value, run, marks) => {
    spend(run, price);
    return mark(value, run, marks);
  };
}

function branches(all: readonly Mark[], enough: (matches: number) => boolean): Mark {
  return (value, run, marks) => {
    spend(run, all.length * price);
    let matches = 0;
    for (const branch of all) {
      const seen = noMarks();
      if (!branch(value, run, seen)) continue;
      matches += 1;
      spend(run, (seen.names.size + seen.indexes.size) >> 3);
      addMarks(marks, seen);
    }
    return enough(matches);
  };
}

function conditionMark(node: SchemaNode, builder: CheckBuilder): Mark | undefined {
  const condition = member(node.json, 'if');
  if (condition === undefined) return undefined;
  const branch = (keyword: string): Mark | undefined => {
    const json = member(node.json, keyword);
    return json === undefined ? undefined : builder.markBelow(json, node);
  };
  const test = builder.markBelow(condition, node);
  const yes = branch('then');
  const no = branch('else');
  return (value, run, marks) => {
    spend(run, 2 * price);
    const seen = noMarks();
    const matches = test(value, run, seen);
    if (matches) addMarks(marks, seen);
    const chosen = matches ? yes : no;
    return chosen === undefined || chosen(value, run, marks);
  };
}
