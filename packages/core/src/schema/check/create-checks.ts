import { targetAt } from '../reference/schema-index.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import { applicatorChecks, referenceChecks } from './applicator-checks.ts';
import { applicatorMarks, referenceMarks } from './applicator-marks.ts';
import { assertionChecks } from './assertion-checks.ts';
import type { CheckBuilder, Compilation } from './check-builder.ts';
import { every } from './combine.ts';
import { entering, enteringMark } from './dynamic-scope.ts';
import { type Mark, noMarks } from './marks.ts';
import { ownMarks } from './own-marks.ts';
import { partOf } from './part.ts';
import { type Check, descend } from './run.ts';

/** Nesting of closures that are made in one go. Deeper ones are made when a value first reaches them. */
const maxEager = 64;

/** A closure that may not exist yet. */
interface Slot<Closure> {
  closure: Closure | undefined;
  pending: boolean;
}

const pass: Check = () => true;
const fail: Check = () => false;

/** Makes the closures of one compiled schema. Each is made once; a recursive one is reached through its slot. */
export function createChecks(compilation: Compilation): CheckBuilder {
  const checks = new Map<SchemaNode, Slot<Check>>();
  const marks = new Map<SchemaNode, Slot<Mark>>();
  const scoped = [...compilation.references.dynamic.values()].some(({ anchor }) => anchor !== undefined);
  let eager = 0;

  const make = <Closure>(
    slots: Map<SchemaNode, Slot<Closure>>,
    node: SchemaNode,
    build: () => Closure,
  ): Slot<Closure> => {
    let slot = slots.get(node);
    if (slot === undefined) {
      slot = { closure: undefined, pending: false };
      slots.set(node, slot);
    }
    if (slot.closure === undefined && !slot.pending && eager < maxEager) {
      slot.pending = true;
      eager += 1;
      slot.closure = build();
      eager -= 1;
      slot.pending = false;
    }
    return slot;
  };

  const checkOf = (node: SchemaNode): Check => {
    const slot = make(checks, node, () => buildCheck(node, builder));
    return (
      slot.closure ??
      ((value, run) => {
        descend(run);
        const matches = (slot.closure ?? checkOf(node))(value, run);
        run.depth -= 1;
        return matches;
      })
    );
  };
  const markOf = (node: SchemaNode): Mark => {
    const slot = make(marks, node, () => buildMark(node, builder));
    return (
      slot.closure ??
      ((value, run, seen) => {
        descend(run);
        const matches = (slot.closure ?? markOf(node))(value, run, seen);
        run.depth -= 1;
        return matches;
      })
    );
  };
  const crosses = (node: SchemaNode, from: SchemaNode | undefined): boolean =>
    scoped && node.resource !== from?.resource;
  const builder: CheckBuilder = {
    ...compilation,
    check: (target, from) => {
      if (typeof target === 'boolean') return target ? pass : fail;
      return crosses(target, from) ? entering(target.resource, checkOf(target)) : checkOf(target);
    },
    mark: (target, from) => {
      if (typeof target === 'boolean') return target ? pass : fail;
      return crosses(target, from) ? enteringMark(target.resource, markOf(target)) : markOf(target);
    },
    below: (json, from) => builder.check(targetAt(compilation.index, json), from),
    part: (json, from, place) => partOf(json, from.resource.dialect, () => builder.below(json, from), place),
    markBelow: (json, from) => builder.mark(targetAt(compilation.index, json), from),
  };
  return builder;
}

function buildCheck(node: SchemaNode, builder: CheckBuilder): Check {
  if (isBareReference(node)) return every(referenceChecks(node, builder)) ?? pass;
  const { json } = node;
  const tracks = Object.hasOwn(json, 'unevaluatedProperties') || Object.hasOwn(json, 'unevaluatedItems');
  if (!tracks || node.resource.dialect !== '2020-12') {
    return every([...assertionChecks(node, builder), ...applicatorChecks(node, builder)]) ?? pass;
  }
  const mark = builder.mark(node, node);
  return (value, run) => mark(value, run, noMarks());
}

function buildMark(node: SchemaNode, builder: CheckBuilder): Mark {
  const steps: readonly Mark[] = isBareReference(node)
    ? referenceMarks(node, builder)
    : [...assertionChecks(node, builder), ...applicatorMarks(node, builder), ownMarks(node, builder)];
  return (value, run, marks) => {
    for (const step of steps) if (!step(value, run, marks)) return false;
    return true;
  };
}

/** In draft-07, `$ref` hides everything beside it. */
function isBareReference(node: SchemaNode): boolean {
  return node.resource.dialect === 'draft-07' && Object.hasOwn(node.json, '$ref');
}
