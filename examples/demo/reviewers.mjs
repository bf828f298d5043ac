// Who decides about a call: a person at the terminal, or a rule that is written down.
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { readJson } from '@toolgate/core';

/**
 * @typedef {object} DemoOptions
 * @property {(text: string) => void} print
 * @property {boolean} colours
 * @property {AbortSignal} signal
 * @property {{ input: import('node:stream').Readable, output: import('node:stream').Writable }} [terminal] Where a
 * person decides; without it the written rule does.
 */

/**
 * The rule of {@link decideByRule}, in words.
 * @param {string} folder
 */
export function ruleInWords(folder) {
  return `No terminal, so a rule decides: a write into ${folder} is allowed, a write elsewhere is moved there, everything else is declined.`;
}

/**
 * Decides by the rule; never waits.
 * @param {string} folder With a slash at its end.
 * @returns {import('@toolgate/core').Approver}
 */
export function decideByRule(folder) {
  return ({ class: rank, arguments: args }) => {
    const { path } = args;
    if (rank !== 'write' || typeof path !== 'string') {
      return { decision: 'decline', reason: 'Nobody is here to approve messages to the outside.' };
    }
    if (path.startsWith(folder)) return 'allow';
    return {
      decision: 'allow',
      arguments: { ...args, path: `${folder}${path.slice(path.lastIndexOf('/') + 1)}` },
    };
  };
}

/**
 * Asks a person: y, n or edit. An ended input is a no.
 * @param {{ input: import('node:stream').Readable, output: import('node:stream').Writable }} terminal
 * @returns {import('@toolgate/core').Approver}
 */
export function askPerson({ input, output }) {
  return async (_request, { signal }) => {
    if (input.readableEnded) return 'decline';
    const line = createInterface({ input, output });
    // While a line is read the terminal gives Ctrl-C to us; it means the process, not this question.
    line.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    /** @type {Promise<undefined>} */
    const ended = new Promise((resolve) => line.once('close', () => resolve(undefined)));
    /** @param {string} question */
    const ask = (question) => Promise.race([line.question(question, { signal }), ended]);
    try {
      for (;;) {
        const answer = (await ask('     allow it? [y/n/edit] '))?.trim().toLowerCase();
        if (answer === 'y' || answer === 'yes') return 'allow';
        if (answer === undefined || answer === 'n' || answer === 'no') return 'decline';
        if (answer === 'e' || answer === 'edit') {
          const edited = readObject((await ask('     arguments as JSON: ')) ?? '');
          if (edited !== undefined) return { decision: 'allow', arguments: edited };
          output.write('     That is no JSON object.\n');
        }
      }
    } finally {
      line.close();
    }
  };
}

/**
 * @param {string} text
 * @returns {import('@toolgate/core').JsonObject | undefined}
 */
function readObject(text) {
  try {
    const value = readJson(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return /** @type {import('@toolgate/core').JsonObject} */ (value);
  } catch {
    return undefined;
  }
}
