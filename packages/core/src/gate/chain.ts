/** What an item of a {@link Chain} carries. An item is in at most one chain at a time. */
export interface Link<Item> {
  previous: Item | undefined;
  next: Item | undefined;
}

/** A queue of items that link themselves: adding and removing anywhere takes constant time and no memory. */
export class Chain<Item extends Link<Item>> {
  first: Item | undefined = undefined;
  last: Item | undefined = undefined;

  append(item: Item): void {
    item.previous = this.last;
    item.next = undefined;
    if (this.last === undefined) this.first = item;
    else this.last.next = item;
    this.last = item;
  }

  /** @param item - One that is in this chain. */
  remove(item: Item): void {
    if (item.previous === undefined) this.first = item.next;
    else item.previous.next = item.next;
    if (item.next === undefined) this.last = item.previous;
    else item.next.previous = item.previous;
    item.previous = undefined;
    item.next = undefined;
  }
}
