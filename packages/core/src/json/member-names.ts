/** Names looked at one by one before a set takes over. */
const FEW = 16;

/** The member names of one open object, as they read after unescaping. */
export interface MemberNames {
  readonly few: string[];
  many: Set<string> | undefined;
  /** The name whose value is being read. */
  last: string;
  /** This object is the value of a member named `constructor`. */
  readonly inConstructor: boolean;
}

/** No names yet. */
export function createMemberNames(inConstructor: boolean): MemberNames {
  return { few: [], many: undefined, last: '', inConstructor };
}

/** Adds a name; `false` when it was there before. */
export function addMemberName(names: MemberNames, name: string): boolean {
  names.last = name;
  if (names.many !== undefined) {
    const before = names.many.size;
    names.many.add(name);
    return names.many.size > before;
  }
  if (names.few.includes(name)) return false;
  names.few.push(name);
  if (names.few.length > FEW) names.many = new Set(names.few);
  return true;
}

/** Whether the name, copied by assignment or walked by a path, would reach a prototype. */
export function isForbiddenMember(names: MemberNames, name: string): boolean {
  return name === '__proto__' || (names.inConstructor && name === 'prototype');
}
