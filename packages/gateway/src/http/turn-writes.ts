import type { ServerResponse } from 'node:http';

/**
 * What is put off until the present turn of the event loop is over. Answers that are written then go out one right after
 * the other, and whoever reads them is woken once for all of them: with some dozens of requests at a time that takes a
 * quarter off the processor time of each. A request that is alone waits for nothing.
 */
export interface TurnWrites {
  /**
   * Does something when the present turn is over, in order, or a little earlier when there is much to do. What a task
   * throws ends the process, like anything else that nobody catches.
   */
  atEnd(task: () => void): void;
  /** Lets a piece of a stream go out when the present turn is over; to be called before each one. Its end goes out at once. */
  hold(response: ServerResponse): void;
}

/** Tasks that wait at most: a turn with hundreds of answers must not keep the first of them back until the last is ready. */
const MOST = 16;

/** Makes the turns of one gateway. */
export function createTurnWrites(): TurnWrites {
  let tasks: (() => void)[] = [];

  function atEnd(task: () => void): void {
    const count = tasks.push(task);
    if (count === 1) setImmediate(runTasks);
    else if (count === MOST) process.nextTick(runTasks);
  }

  function runTasks(): void {
    const due = tasks;
    tasks = [];
    let begun = 0;
    try {
      for (const task of due) {
        begun += 1;
        task();
      }
    } finally {
      // Where somebody keeps the process alive all the same, the answers of others must not be held for ever.
      if (begun < due.length) for (const task of due.slice(begun)) atEnd(task);
    }
  }

  return Object.freeze({
    atEnd,
    hold({ socket }: ServerResponse): void {
      if (socket === null || socket.writableCorked > 0) return;
      socket.cork();
      atEnd(() => socket.uncork());
    },
  });
}
