import { z } from 'zod';

/**
 * A conversation that every loop has to hold: in each turn the model makes its calls, at the end it says `done`.
 *
 * @typedef {object} Shape
 * @property {string} name
 * @property {number} turns - Turns with calls; the answer is one more.
 * @property {number} callsPerTurn
 */

/** @type {Readonly<Record<'sequential' | 'parallel' | 'long', Shape>>} */
export const shapes = {
  sequential: { name: '50 turns', turns: 50, callsPerTurn: 1 },
  parallel: { name: '50 calls in one turn', turns: 1, callsPerTurn: 50 },
  long: { name: '200 turns', turns: 200, callsPerTurn: 1 },
};

/** The tool, for a library that takes JSON Schema and for one that takes Zod. */
export const tool = {
  name: 'find_window',
  description: 'Finds the next maintenance windows of a service.',
  schema: {
    type: 'object',
    properties: { service: { type: 'string', maxLength: 64 }, days: { type: 'integer', minimum: 1 } },
    required: ['service', 'days'],
    additionalProperties: false,
  },
  zod: z.strictObject({ service: z.string().max(64), days: z.int().min(1) }),
};
export const QUESTION = 'When can the service be taken down?';
export const ANSWER = 'done';

/**
 * What the model says, and how often the tool ran. Calls differ, so that no loop takes them for a repetition. One script
 * serves one run at a time; `begin` starts it anew.
 *
 * @param {Shape} shape
 */
export function createScript({ turns, callsPerTurn }) {
  let turn = 0;
  let ran = 0;
  let inspect;
  return {
    /** @param {(request: unknown) => void} [onLast] - Gets what the model is asked in its last turn. */
    begin: (onLast) => {
      turn = 0;
      ran = 0;
      inspect = onLast;
    },
    /** The calls of the next turn as `{ id, name, text }`; none when it is time to answer. */
    next: (request) => {
      turn++;
      if (turn > turns) {
        inspect?.(request);
        return [];
      }
      const calls = [];
      for (let place = 0; place < callsPerTurn; place++) {
        const number = (turn - 1) * callsPerTurn + place + 1;
        const text = `{"service":"checkout-eu-central-1-production-a","days":${number}}`;
        calls.push({ id: `call_${number}`, name: tool.name, text });
      }
      return calls;
    },
    /** The handler. */
    execute: ({ service, days }) => {
      ran++;
      return { service, windows: [`w${days}.`], days };
    },
    ran: () => ran,
    asked: () => turn,
  };
}
