/** The members of a shape, optional ones also as `undefined`. */
export type Loose<Shape extends object> = {
  readonly [Name in keyof Shape]: Record<never, never> extends Pick<Shape, Name>
    ? Shape[Name] | undefined
    : Shape[Name];
};

/** A frozen copy of the members without those that are `undefined`. */
export function compact<Shape extends object>(members: Loose<Shape>): Shape {
  const result: Partial<Shape> = {};
  for (const name of Object.keys(members) as (keyof Shape)[]) {
    const value = members[name];
    if (value !== undefined) result[name] = value as Shape[keyof Shape];
  }
  return Object.freeze(result) as Shape;
}
