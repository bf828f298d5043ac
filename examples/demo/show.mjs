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

/** How a word diff of git marks what went and what came. */
const WENT = /** @type {const} */ (['red', '[-', '-]']);
const CAME = /** @type {const} */ (['green', '{+', '+}']);

/** Nothing foreign may move the cursor. @param {string} text */
const harmless = (text) => text.replace(/[^\P{C}\n]/gu, '�');

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

    /** @param {number} number @param {import('./gate/scenes.mjs').Scene} scene */
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

    /** What a model says. @param {string} text */
    words: (text) => harmless(text).replaceAll('\n', '\n     '),

    /** @param {string} name @param {string} text */
    proposal: (name, text) => line('call', harmless(`${name} ${text}`.trimEnd())),

    /**
     * @param {Pick<Outcome, 'kind' | 'reason' | 'edited'> & { readonly filled?: readonly string[] }} outcome
     * @param {string} text What the model gets.
     * @param {unknown} [cause] What the handler threw; for the log.
     */
    outcome: ({ kind, reason, edited, filled = [] }, text, cause) => {
      const [mark, style] = MARKS[kind];
      const notes = [
        ...(edited === true ? [', arguments edited by the reviewer'] : []),
        ...(filled.length > 0 ? [`, ${filled.length} defaults filled in`] : []),
      ].join('');
      const kept = reason === 'handler_error' && cause instanceof Error ? cause.message : undefined;
      return [
        line('outcome', `${paint(style, `${mark} ${kind}`)}  ${reason}${notes}`),
        text === '' ? '' : lines('model sees', harmless(text)),
        kept === undefined ? '' : line('log keeps', paint('dim', kept)),
      ].join('');
    },

    /** What changed since the review, word by word. @param {import('@toolgate/mcp').DriftReport | undefined} report */
    drift: (report) => {
      if (report === undefined) return '';
      const same = line(report.server, paint('green', `${report.unchanged} tools as reviewed`));
      const changed = report.drift.map((each) => {
        const title = line(
          '',
          `${paint('red', each.kind)} ${harmless(each.tool)}: held back until it is reviewed again`,
        );
        if (each.kind !== 'changed') return title;
        const places = each.changes.map(({ pointer, runs }) => {
          const words = runs.map((run) => {
            if (run.kind === 'omitted') return paint('dim', '[…]');
            if (run.kind === 'kept') return harmless(run.text);
            const [style, open, close] = run.kind === 'added' ? CAME : WENT;
            return paint(style, `${open}${harmless(run.text)}${close}`);
          });
          return line('', `${paint('dim', pointer)}  ${words.join('')}`);
        });
        return title + places.join('');
      });
      return report.unchanged === 0 && changed.length > 0 ? changed.join('') : same + changed.join('');
    },

    /** @param {number} number @param {import('./gateway/scenes.mjs').GatewayScene} scene */
    request: (number, { title, say, model }) =>
      `\n${paint('dim', String(number).padStart(3))}  ${paint('bold', title)}\n${line('client', `to ${model}: ${say}`)}`,

    /** @param {string} label @param {string} text */
    field: (label, text) => line(label, harmless(text)),

    /**
     * What each side saw of one request.
     * @param {{ scene: import('./gateway/scenes.mjs').GatewayScene, body: any, seen: any, provider: any }} sides
     */
    sides: ({ scene, body, seen, provider }) => {
      const offered = (provider?.tools ?? []).map((/** @type {any} */ tool) => tool.function.name);
      const added = offered.filter((/** @type {string} */ name) => name !== scene.tool);
      const message = body.choices?.[0]?.message ?? {};
      const [call] = message.tool_calls ?? [];
      const got =
        call === undefined ? (message.content ?? '') : `${call.function.name} ${call.function.arguments}`;
      const good = seen?.verdict === 'allowed';
      const verdict =
        seen === undefined ? 'no call of a tool of the client' : `${seen.verdict}: ${seen.reason}`;
      return [
        line(
          'provider',
          harmless(
            `is offered ${offered.length === 0 ? 'no tool' : offered.join(' and ')}${added.length > 0 ? `; ${added.join(', ')} is the gateway's own` : ''}`,
          ),
        ),
        line('gateway', paint(seen === undefined ? 'blue' : good ? 'green' : 'yellow', harmless(verdict))),
        line('client', harmless(`gets ${call === undefined ? 'text' : 'the call'}: ${got}`)),
      ].join('');
    },

    /** What a gateway tells while it runs. @param {Readonly<Record<string, unknown>>} event */
    event: ({ time, event, level: _level, ...fields }) => {
      const words = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`);
      return `${paint('dim', String(time).slice(11, 19))}  ${String(event)}  ${harmless(words.join(' '))}\n`;
    },

    /** @param {readonly Pick<Outcome, 'kind'>[]} outcomes */
    summary: (outcomes) => {
      /** @type {Map<Outcome['kind'], number>} */
      const counts = new Map();
      for (const { kind } of outcomes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const words = [...counts].map(([kind, count]) => paint(MARKS[kind][1], `${count} ${kind}`));
      return `\n${outcomes.length} calls, one outcome each: ${words.join(', ')}\n`;
    },
  };
}
