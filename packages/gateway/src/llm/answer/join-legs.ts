import type { ModelEvent, Usage } from '@toolgate/model';

/** Joins the turns of hidden rounds to one answer. */
export interface LegJoin {
  /** The events of the present turn as parts of the one answer; those of the first turn are the very same. */
  map(events: readonly ModelEvent[]): readonly ModelEvent[];
  /** Another turn begins. */
  next(): void;
  /** What all turns together used; `null` where one of them does not say. */
  usage(): Usage | null;
}

/** Makes a join that is in its first turn. */
export function createLegJoin(): LegJoin {
  return new Join();
}

class Join implements LegJoin {
  #base = 0;
  #highest = -1;
  #leg = 0;
  /** Whether the last text ends where another one can begin: there is none, or white space. */
  #spaced = true;
  /** Whether the next text is the first of its turn, behind another one: some wires have one text for all. */
  #parts = false;
  #before: Usage | null = null;
  #current: Usage | null = null;

  map(events: readonly ModelEvent[]): readonly ModelEvent[] {
    for (const event of events) this.#look(event);
    return this.#leg === 0 ? events : events.flatMap((event) => this.#shift(event));
  }

  next(): void {
    this.#before = this.usage();
    this.#current = null;
    this.#leg += 1;
    this.#parts = true;
    this.#base = this.#highest + 1;
  }

  usage(): Usage | null {
    return this.#leg === 0 ? this.#current : addUsage(this.#before, this.#current);
  }

  #look(event: ModelEvent): void {
    if (event.kind === 'text-delta' && this.#leg === 0) this.#say(event.text);
    if (event.kind === 'usage') this.#current = event.usage;
    else if ('index' in event && this.#base + event.index > this.#highest)
      this.#highest = this.#base + event.index;
  }

  #shift(event: ModelEvent): readonly ModelEvent[] {
    if (event.kind === 'response-start') return [];
    if (event.kind === 'usage') {
      const usage = this.usage();
      return usage === null ? [] : [{ kind: 'usage', usage }];
    }
    if (!('index' in event)) return [event];
    const moved = { ...event, index: event.index + this.#base };
    if (moved.kind === 'text-delta') return [{ ...moved, text: this.#parted(moved.text) }];
    return 'continues' in moved && moved.continues !== undefined
      ? [{ ...moved, continues: moved.continues + this.#base }]
      : [moved];
  }

  /** The text, with a blank line before it where it would stick to the one of a turn before. */
  #parted(text: string): string {
    const sticks = this.#parts && !this.#spaced && /^\S/.test(text);
    this.#say(text);
    return sticks ? `\n\n${text}` : text;
  }

  #say(text: string): void {
    if (text === '') return;
    this.#parts = false;
    this.#spaced = /\s/.test(text.slice(-1));
  }
}

function addUsage(left: Usage | null, right: Usage | null): Usage | null {
  if (left === null || right === null) return null;
  const add = (field: keyof Usage): number | null => {
    const [first, second] = [left[field], right[field]];
    return first === null || second === null ? null : first + second;
  };
  return {
    inputTotal: add('inputTotal'),
    cacheRead: add('cacheRead'),
    cacheWrite: add('cacheWrite'),
    outputTotal: add('outputTotal'),
    reasoning: add('reasoning'),
  };
}
