/** Counts what each principal has open, up to a limit. Who has nothing open takes no room. */
export class PrincipalCounter {
  readonly #limit: number;
  readonly #total: number;
  readonly #open = new Map<string, number>();
  #all = 0;

  /**
   * @param limit - How much one principal may have open at the same time.
   * @param total - How much all of them may. Default: no bound.
   */
  constructor(limit: number, total: number = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
    this.#total = total;
  }

  /** How many principals have something open. */
  get size(): number {
    return this.#open.size;
  }

  /** Takes one place; `undefined` when there is none. The function gives it back, once. */
  enter(principal: string): (() => void) | undefined {
    const open = this.#open.get(principal) ?? 0;
    if (open >= this.#limit || this.#all >= this.#total) return undefined;
    this.#open.set(principal, open + 1);
    this.#all += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#all -= 1;
      const now = (this.#open.get(principal) ?? 1) - 1;
      if (now === 0) this.#open.delete(principal);
      else this.#open.set(principal, now);
    };
  }
}
