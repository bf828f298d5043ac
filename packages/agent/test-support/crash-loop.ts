import type { Loop } from '../src/durable/port.ts';

/** Turns of {@link crashLoop}. */
export const CRASH_TURNS = 4;

/** A model step and a tool step per turn, and a wait in the middle; returns how each tool step ended. */
export const crashLoop: Loop = {
  version: 1,
  async run(run, turns) {
    const kinds: string[] = [];
    for (let turn = 1; turn <= Number(turns); turn++) {
      await run.call({
        name: `model:${turn}`,
        op: 'model',
        input: turn,
        effect: 'repeatable',
        timeoutMs: 'none',
      });
      if (turn === 2) await run.wait('approval', { deadline: null, note: 'go on?' });
      const { kind } = await run.call({
        name: `tool:${turn}`,
        op: 'tool',
        input: turn,
        effect: 'once',
        timeoutMs: 'none',
      });
      kinds.push(kind);
    }
    return kinds;
  },
};
