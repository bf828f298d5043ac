/** Kinds of objects whose content is not in their own enumerable members, or is misread from them. */
const REFUSED: ReadonlySet<string> = new Set([
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'WeakRef',
  'Promise',
  'RegExp',
  'Error',
  'Date',
  'BigInt',
  'Symbol',
  'ArrayBuffer',
  'SharedArrayBuffer',
]);

/** Whether the object is made of nothing but its own members; of another realm too. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null && kindOf(value) === 'Object';
}

/** The primitive in a boxed string, number or boolean; anything else as it is. */
export function unbox(value: object): unknown {
  if (value instanceof String) return String.prototype.valueOf.call(value);
  if (value instanceof Number) return Number.prototype.valueOf.call(value);
  if (value instanceof Boolean) return Boolean.prototype.valueOf.call(value);
  return value;
}

/**
 * Why an object that is neither plain nor an array cannot be written by its own enumerable members; `undefined` when it
 * can. An instance without any such member keeps its content elsewhere, and `{}` would be a lie.
 */
export function refuseInstance(value: object, members: number): string | undefined {
  if (ArrayBuffer.isView(value)) return `${nameOf(value)}; give an array of numbers or base64 text`;
  if (REFUSED.has(kindOf(value))) return nameOf(value);
  return members === 0 ? `${nameOf(value)} without own members` : undefined;
}

/** For example `Map`, also for an instance of a subclass or from another realm. */
function kindOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

function nameOf(value: object): string {
  const made: unknown = Reflect.get(value, 'constructor');
  const name: unknown = typeof made === 'function' ? made.name : undefined;
  return typeof name === 'string' && /^[\w$]{1,40}$/.test(name) ? name : kindOf(value).slice(0, 40);
}
