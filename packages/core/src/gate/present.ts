/** Steps are taken in order; one that looks for what no step before it found is a defect. */
export function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('A step of the call was taken too early.');
  return value;
}
