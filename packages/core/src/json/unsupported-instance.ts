/** Built-in classes whose content is not in their own enumerable members, or is misread from them. */
const REFUSED: readonly { [Symbol.hasInstance](value: unknown): boolean }[] = [
  Map,
  Set,
  WeakMap,
  WeakSet,
  WeakRef,
  Promise,
  RegExp,
  Error,
  Date,
  ArrayBuffer,
  SharedArrayBuffer,
  BigInt,
  Symbol,
];

/**
 * Why an object that is no array cannot be written by its own enumerable members; `undefined` when it can. A plain
 * object always can. An instance of a class can, unless it has no such member at all: then its content is elsewhere,
 * and `{}` would be a lie.
 */
export function refusalOf(holder: object, members: number): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(holder);
  if (prototype === Object.prototype || prototype === null) return undefined;
  if (ArrayBuffer.isView(holder)) return `a ${nameOf(holder)}; give an array of numbers or base64 text`;
  if (REFUSED.some((refused) => holder instanceof refused)) return `a ${nameOf(holder)}`;
  // A plain object of another realm has a prototype without a prototype.
  if (members === 0 && Object.getPrototypeOf(prototype) !== null)
    return `a ${nameOf(holder)} without own members`;
  return undefined;
}

function nameOf(holder: object): string {
  const name: unknown = holder.constructor.name;
  return typeof name === 'string' && /^[\w$]{1,40}$/.test(name) ? name : 'class instance';
}
