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
  let base = 0;
  let highest = -1;
  let leg = 0;
  let before: Usage | null = null;
  let current: Usage | null = null;

  const joined = (): Usage | null => (leg === 0 ? current : addUsage(before, current));
  const look = (event: ModelEvent): void => {
    if (event.kind === 'usage') current = event.usage;
    else if ('index' in event && base + event.index > highest) highest = base + event.index;
  };
  const shift = (event: ModelEvent): readonly ModelEvent[] => {
    if (event.kind === 'response-start') return [];
    if (event.kind === 'usage') {
      const usage = joined();
      return usage === null ? [] : [{ kind: 'usage', usage }];
    }
    if (!('index' in event)) return [event];
    const moved = { ...event, index: event.index + base };
    return 'continues' in moved && moved.continues !== undefined
      ? [{ ...moved, continues: moved.continues + base }]
      : [moved];
  };

  return {
    map(events: readonly ModelEvent[]) {
      for (const event of events) look(event);
      return leg === 0 ? events : events.flatMap(shift);
    },
    next() {
      before = joined();
      current = null;
      leg += 1;
      base = highest + 1;
    },
    usage: joined,
  };
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
