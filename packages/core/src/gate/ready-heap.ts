/** What a {@link ReadyHeap} orders by. */
export interface Sequenced {
  readonly sequence: number;
}

/** Items that may go, the earliest sequence first: a binary heap. */
export class ReadyHeap<Item extends Sequenced> {
  readonly #items: Item[] = [];

  get size(): number {
    return this.#items.length;
  }

  push(item: Item): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parentAt = (at - 1) >>> 1;
      const parent = items[parentAt];
      if (parent === undefined || parent.sequence <= item.sequence) break;
      items[at] = parent;
      at = parentAt;
    }
    items[at] = item;
  }

  pop(): Item | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (last !== undefined && items.length > 0) this.#sink(last);
    return first;
  }

  /** Puts an item where it belongs, from the root down. */
  #sink(item: Item): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      let childAt = 2 * at + 1;
      let child = items[childAt];
      const other = items[childAt + 1];
      if (child !== undefined && other !== undefined && other.sequence < child.sequence) {
        childAt += 1;
        child = other;
      }
      if (child === undefined || child.sequence >= item.sequence) break;
      items[at] = child;
      at = childAt;
    }
    items[at] = item;
  }
}
