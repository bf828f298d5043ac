import type { JsonValue } from './json-value.ts';

/** Makes an own, ordinary member whatever its name is; assignment would follow `__proto__` into the prototype. */
export function defineMember(target: object, name: string, value: JsonValue): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}
