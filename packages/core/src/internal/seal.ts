/**
 * What the sealed constructors want to be given. A private constructor is private to the compiler only; this is what
 * keeps a script from making an instance that nobody checked. Never exported from the package.
 */
export const SEAL: unique symbol = Symbol('seal');

/**
 * Guards a constructor that only its own module may use.
 *
 * @param maker - What makes such an instance, for the message.
 * @throws TypeError for everything but {@link SEAL}.
 */
export function checkSeal(given: unknown, maker: string): void {
  if (given !== SEAL) throw new TypeError(`The constructor is sealed; ${maker}.`);
}
