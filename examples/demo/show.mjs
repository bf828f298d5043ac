// How an outcome looks on a terminal.
import { styleText } from 'node:util';

/**
 * @typedef {import('@toolgate/core').Outcome} Outcome
 * @typedef {import('@toolgate/core').ApprovalRequest} ApprovalRequest
 * @typedef {import('@toolgate/core').ApprovalDecision} ApprovalDecision
 * @typedef {'green' | 'red' | 'yellow' | 'magenta' | 'blue' | 'dim' | 'bold'} Style
 */

/** @type {Readonly<Record<Outcome['kind'], readonly [mark: string, style: Style]>>} */
const MARKS = {
  completed: ['✓', 'green'],
  failed: ['✗', 'red'],
  rejected: ['⊘', 'yellow'],
  invalid: ['⊘', 'yellow'],
  unknown: ['?', 'magenta'],
  suspended: ['…', 'blue'],
};

/** @param {boolean} colours */
export function createShow(colours) {
  /** @type {(style: Style, text: string) => string} */
  const paint = (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text);
  /** @type {(label: string, text: string) => string} */
  const line = (label, text) => `     ${paint('dim', label.padEnd(10))} ${text}\n`;
  /** @type {(label: string, text: string) => string} */
  const lines = (label, text) =>
    text
      .trimEnd()
      .split('\n')
      .map((each, index) => line(index === 0 ? label : '', each))
      .join('');

  return {
    /** @param {string} text */
    heading: (text) => `${paint('bold', text)}\n`,

    /** @param {string} text */
    note: (text) => `${paint('dim', text)}\n`,

    /** @param {number} number @param {import('./scenes.mjs').Scene} scene */
    call: (number, { title, name, arguments: text }) =>
      `\n${paint('dim', String(number).padStart(3))}  ${paint('bold', title)}\n${line('call', `${name} ${text}`)}`,

    /** @param {ApprovalRequest} request */
    approval: ({ class: rank, tool, arguments: args }) =>
      line('approval', `${tool} is ${rank}: ${JSON.stringify(args)}`),

    /** @param {ApprovalDecision} decision */
    decision: (decision) => {
      if (typeof decision === 'string') return line('decision', decision);
      if (decision.decision !== 'allow') return line('decision', decision.decision);
      return line('decision', `allow, with ${JSON.stringify(decision.arguments)}`);
    },

    /** @param {Outcome} outcome */
    outcome: (outcome) => {
      const [mark, style] = MARKS[outcome.kind];
      const filled = outcome.kind === 'completed' ? (outcome.filled?.length ?? 0) : 0;
      const notes = [
        ...(outcome.edited === true ? [', arguments edited by the reviewer'] : []),
        ...(filled > 0 ? [`, ${filled} defaults filled in`] : []),
      ].join('');
      const cause = outcome.reason === 'handler_error' ? outcome.cause : undefined;
      return [
        line('outcome', `${paint(style, `${mark} ${outcome.kind}`)}  ${outcome.reason}${notes}`),
        outcome.kind === 'suspended' ? '' : lines('model sees', outcome.output.text()),
        cause instanceof Error ? line('log keeps', paint('dim', cause.message)) : '',
      ].join('');
    },

    /** @param {readonly Outcome[]} outcomes */
    summary: (outcomes) => {
      /** @type {Map<Outcome['kind'], number>} */
      const counts = new Map();
      for (const { kind } of outcomes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const words = [...counts].map(([kind, count]) => paint(MARKS[kind][1], `${count} ${kind}`));
      return `\n${outcomes.length} calls, one outcome each: ${words.join(', ')}\n`;
    },
  };
}
