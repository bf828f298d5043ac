/** Calls of a conversation that a result could answer which does not say which call it is of. */
export interface WaitingCalls {
  add(name: string, callId: string): void;
  /** The first call of a name that nobody has answered: one of the last turn of the model, else an earlier one. */
  take(name: string): string | undefined;
  /** The model speaks again. */
  nextTurn(): void;
}

interface Line {
  readonly callIds: string[];
  next: number;
}

/**
 * Makes an empty one.
 *
 * @param answered - Ids of calls that have an answer, whoever found it; what is taken is added.
 */
export function createWaitingCalls(answered: Set<string>): WaitingCalls {
  let turn = new Map<string, Line>();
  const earlier = new Map<string, Line>();

  const takeFrom = (lines: ReadonlyMap<string, Line>, name: string): string | undefined => {
    const line = lines.get(name);
    while (line !== undefined && line.next < line.callIds.length) {
      const callId = line.callIds[line.next++];
      if (callId === undefined || answered.has(callId)) continue;
      answered.add(callId);
      return callId;
    }
    return undefined;
  };

  return {
    add: (name, callId) => lineOf(turn, name).callIds.push(callId),
    take: (name) => takeFrom(turn, name) ?? takeFrom(earlier, name),
    nextTurn() {
      if (turn.size === 0) return;
      for (const [name, { callIds, next }] of turn) {
        const line = lineOf(earlier, name);
        for (let index = next; index < callIds.length; index++) line.callIds.push(callIds[index] ?? '');
      }
      turn = new Map();
    },
  };
}

function lineOf(lines: Map<string, Line>, name: string): Line {
  const known = lines.get(name);
  if (known !== undefined) return known;
  const line: Line = { callIds: [], next: 0 };
  lines.set(name, line);
  return line;
}
