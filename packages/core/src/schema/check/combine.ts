/** A test over some kind of value. */
type Test<Value, Context> = (value: Value, context: Context) => boolean;

/** One test for all of `tests`, in their order; undefined when there are none. */
export function every<Value, Context>(
  tests: readonly Test<Value, Context>[],
): Test<Value, Context> | undefined {
  const [first, second, third] = tests;
  if (first === undefined) return undefined;
  if (second === undefined) return first;
  if (third === undefined) return (value, context) => first(value, context) && second(value, context);
  if (tests.length === 3) {
    return (value, context) => first(value, context) && second(value, context) && third(value, context);
  }
  return (value, context) => {
    for (const test of tests) if (!test(value, context)) return false;
    return true;
  };
}
