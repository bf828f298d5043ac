/** Counts what each principal has open, up to a limit. Who has nothing open takes no room. */
export class PrincipalCounter {
  readonly #limit: number;
  readonly #open = new Map<string, number>();

  /** @param limit - How much one principal may have open at the same time. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many principals have something open. */
  get size(): number {
    return this.#open.size;
  }

  /** Takes one place; `undefined` when there is none. The function gives it back, once. */
  enter(principal: string): (() => void) | undefined {
    const open = this.#open.get(principal) ?? 0;
    if (open >= this.#limit) return undefined;
    this.#open.set(principal, open + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const now = (this.#open.get(principal) ?? 1) - 1;
      if (now === 0) this.#open.delete(principal);
      else this.#open.set(principal, now);
    };
  }
}
