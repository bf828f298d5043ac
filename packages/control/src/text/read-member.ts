import { ControlError, type ControlErrorCode } from '../control-error.ts';

/**
 * Own members of a value that a stranger made, each read once by who asks. A getter or a proxy that throws is a fault
 * like any other.
 *
 * @param what - How the value is called in messages.
 * @throws ControlError with the given code for everything but an object.
 */
export function memberReader(
  value: unknown,
  code: ControlErrorCode,
  what: string,
): (name: string) => unknown {
  if (typeof value !== 'object' || value === null) throw new ControlError(code, `${what} must be an object.`);
  return (name) => {
    try {
      return Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
    } catch (cause) {
      throw new ControlError(code, `The member ${name} of ${what} cannot be read.`, { cause });
    }
  };
}
