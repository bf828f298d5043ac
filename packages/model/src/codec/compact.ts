/** The members of a shape, optional ones also as `undefined`. */
export type Loose<Shape extends object> = {
  readonly [Name in keyof Shape]: Record<never, never> extends Pick<Shape, Name>
    ? Shape[Name] | undefined
    : Shape[Name];
};

/** The members without those that are `undefined`, frozen: the object itself where it has none of them, else a copy. */
export function compact<Shape extends object>(members: Loose<Shape>): Shape {
  const names = Object.keys(members) as (keyof Shape)[];
  if (!lacks(members, names)) return Object.freeze(members) as Shape;
  const result: Partial<Shape> = {};
  for (const name of names) {
    const value = members[name];
    if (value !== undefined) result[name] = value as Shape[keyof Shape];
  }
  return Object.freeze(result) as Shape;
}

/** Whether a member is `undefined`. */
function lacks<Shape extends object>(members: Loose<Shape>, names: readonly (keyof Shape)[]): boolean {
  for (const name of names) if (members[name] === undefined) return true;
  return false;
}
