import type { JsonObject, JsonValue } from '@toolgate/core';
import { memberOf, setMember, type WireReader } from '../codec/wire-reader.ts';
import { type PathStep, readJsonPath } from './json-path.ts';

/** The arguments of one call that come in pieces, each with its place. */
export interface PartialArguments {
  /**
   * Takes the pieces of one part.
   *
   * @returns Whether the last of them goes on.
   */
  add(pieces: readonly JsonValue[], pointer: string): boolean;
  /** The arguments so far. */
  value(): JsonObject;
}

type Branch =
  | { readonly kind: 'object'; readonly members: Map<string, Node> }
  | { readonly kind: 'array'; readonly items: Node[] };

type Node =
  | Branch
  | { readonly kind: 'text'; readonly pieces: string[]; open: boolean }
  | { readonly kind: 'value'; readonly value: JsonValue };

const MAX_STEPS = 64;
const VALUES = ['boolValue', 'numberValue', 'stringValue', 'nullValue'] as const;

/**
 * Makes the arguments of one call. What a piece says about a place is said once: a text may go on where it was, all other
 * contradictions, places that cannot be and gaps in lists are refused by `reader`. A piece without a value makes an empty
 * object, or an empty list where its path ends in `[]`.
 *
 * @see Google, Vertex AI: `PartialArg`.
 */
export function createPartialArguments(reader: WireReader): PartialArguments {
  const root: Branch = { kind: 'object', members: new Map() };

  const addPiece = (piece: JsonObject, pointer: string): boolean => {
    const path = reader.string(memberOf(piece, 'jsonPath'), `${pointer}/jsonPath`);
    const isList = path.endsWith('[]');
    const steps = readJsonPath(isList ? path.slice(0, -2) : path);
    const last = steps?.at(-1);
    if (steps === undefined || steps.length > MAX_STEPS)
      return reader.fail(`${pointer}/jsonPath`, 'leads to no place');
    const goesOn = memberOf(piece, 'willContinue') === true;
    const added = toNode(piece, isList, goesOn, pointer);
    // The root is there already.
    if (last === undefined) return isBranch(added) && !isList ? goesOn : reader.fail(pointer, 'is no object');
    let node: Node = root;
    steps.slice(0, -1).forEach((step, at) => {
      node = child(node, step) ?? put(node, step, emptyFor(steps[at + 1]), pointer);
    });
    const there = child(node, last);
    if (there === undefined) put(node, last, added, pointer);
    else if (there.kind === 'text' && there.open && added.kind === 'text') {
      there.pieces.push(...added.pieces);
      there.open = goesOn;
    } else if (!isBranch(added) || added.kind !== there.kind)
      reader.fail(`${pointer}/jsonPath`, 'has a value already');
    return goesOn;
  };

  const toNode = (piece: JsonObject, isList: boolean, open: boolean, pointer: string): Node => {
    const given = VALUES.filter(
      (name) => memberOf(piece, name) !== undefined && memberOf(piece, name) !== null,
    );
    const [name] = given;
    if (given.length > 1) return reader.fail(pointer, 'has more than one value');
    if (name === undefined)
      return isList ? { kind: 'array', items: [] } : { kind: 'object', members: new Map() };
    if (isList) return reader.fail(pointer, 'is a list and a value');
    const value = memberOf(piece, name);
    if (name === 'stringValue')
      return { kind: 'text', pieces: [reader.string(value, `${pointer}/${name}`)], open };
    if (name === 'nullValue') return { kind: 'value', value: null };
    const kind = name === 'boolValue' ? 'boolean' : 'number';
    return { kind: 'value', value: reader.optional(kind, value, `${pointer}/${name}`) ?? null };
  };

  const put = (parent: Node, step: PathStep, added: Node, pointer: string): Node => {
    if (parent.kind === 'object' && typeof step === 'string') parent.members.set(step, added);
    else if (parent.kind === 'array' && step === parent.items.length) parent.items.push(added);
    else reader.fail(`${pointer}/jsonPath`, 'leads to no place');
    return added;
  };

  return {
    add(pieces, pointer) {
      let goesOn = false;
      pieces.forEach((piece, index) => {
        const place = `${pointer}/${index}`;
        goesOn = addPiece(reader.object(piece, place), place);
      });
      return goesOn;
    },
    value: () => toObject(root.members),
  };
}

function child(node: Node, step: PathStep): Node | undefined {
  if (node.kind === 'object' && typeof step === 'string') return node.members.get(step);
  return node.kind === 'array' && typeof step === 'number' ? node.items[step] : undefined;
}

function emptyFor(step: PathStep | undefined): Node {
  return typeof step === 'number' ? { kind: 'array', items: [] } : { kind: 'object', members: new Map() };
}

function isBranch(node: Node): node is Branch {
  return node.kind === 'object' || node.kind === 'array';
}

function toValue(node: Node): JsonValue {
  switch (node.kind) {
    case 'object':
      return toObject(node.members);
    case 'array':
      return node.items.map(toValue);
    case 'text':
      return node.pieces.join('');
    case 'value':
      return node.value;
  }
}

function toObject(members: ReadonlyMap<string, Node>): JsonObject {
  const object: Record<string, JsonValue> = {};
  for (const [name, node] of members) setMember(object, name, toValue(node));
  return object;
}
