import { type AgentEvent, type RunResult, STOP_REASONS } from '@toolgate/agent';
import { type OutcomeKind, toolOutput } from '@toolgate/core';
import { countOf, formatCount } from '../terminal/format-count.ts';
import type { Paint, Tone } from '../terminal/paint.ts';
import { safeLines, safeText } from '../terminal/safe-text.ts';
import { describeRequest } from './create-reviewer.ts';

/** Turns events into text, one after the other. */
export type ShowEvent = (event: AgentEvent) => string;

const MARKS: Readonly<Record<OutcomeKind, readonly [mark: string, tone: Tone]>> = {
  completed: ['✓', 'good'],
  failed: ['✗', 'bad'],
  rejected: ['⊘', 'warning'],
  invalid: ['⊘', 'warning'],
  unknown: ['?', 'bad'],
  suspended: ['…', 'warning'],
};

const MAX_RESULT_LENGTH = 600;

/** Text of the model as it comes; every call with its outcome on lines of its own. */
export function createShowEvent(paint: Paint): ShowEvent {
  // Whether the last text of the model left a line open.
  let open = false;
  const line = (text: string): string => {
    const before = open ? '\n' : '';
    open = false;
    return `${before}${text}\n`;
  };
  const flow = (text: string): string => {
    if (text !== '') open = !text.endsWith('\n');
    return safeLines(text);
  };
  return (event) => {
    switch (event.kind) {
      case 'text-delta':
        return flow(event.text);
      case 'refusal-delta':
        return paint('warning', flow(event.text));
      case 'reasoning-delta':
        return paint('quiet', flow(event.text));
      case 'tool-start':
        return line(
          `${paint('quiet', 'call')}     ${paint('strong', safeText(event.call.name, 80))} ${safeText(event.call.arguments, 2_000)}`.trimEnd(),
        );
      case 'tool-end': {
        const { kind, reason, name, edited } = event.outcome;
        const [mark, tone] = MARKS[kind];
        const how = `${paint('quiet', 'outcome')}  ${paint(tone, `${mark} ${kind}`)}  ${reason}  ${safeText(name, 80)}${edited === true ? ', arguments edited' : ''}`;
        const text =
          kind === 'suspended' ? '' : safeText(toolOutput(event.outcome).text(), MAX_RESULT_LENGTH);
        return line(text === '' ? how : `${how}\n${paint('quiet', 'result')}   ${text}`);
      }
      case 'warning':
        // Nothing is lost by these, and every request has them.
        if (event.code.startsWith('loss/') && event.detail.startsWith('info ')) return '';
        return line(paint('quiet', `warning  ${safeText(event.code, 80)}  ${safeText(event.detail)}`));
      case 'run-end':
        return line(formatEnd(event.result, paint));
      case 'turn-start':
      case 'turn-end':
      case 'call-start':
      case 'call-delta':
      case 'call-end':
      case 'tool-progress':
      case 'approval-request':
        return '';
    }
  };
}

function formatEnd(result: RunResult, paint: Paint): string {
  const { stopReason, turns, outcomes, usage, pending, error, stragglers } = result;
  const good = stopReason === 'answer' || stopReason === 'tool_stop';
  const tone: Tone = good ? 'quiet' : stopReason === 'suspended' ? 'warning' : 'bad';
  const tokens = (usage.inputTotal ?? 0) + (usage.outputTotal ?? 0);
  const details = [
    countOf(turns, 'turn'),
    countOf(outcomes.length, 'call'),
    ...(tokens > 0 ? [`${formatCount(tokens)} tokens`] : []),
  ].join(', ');
  return [
    `${paint(tone, stopReason)}  ${paint('quiet', details)}`,
    ...(good ? [] : [STOP_REASONS[stopReason]]),
    ...(error === undefined ? [] : [describeFailure(error)]),
    ...pending.map((request) => `waits    ${request.id}  ${describeRequest(request)}`),
    ...stragglers.map(({ tool }) => `still runs: ${safeText(tool, 80)}`),
  ].join('\n');
}

function describeFailure({ code, message, status, requestId }: NonNullable<RunResult['error']>): string {
  const facts = [
    code,
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(requestId === undefined ? [] : [`request ${safeText(requestId, 120)}`]),
  ];
  return `${safeText(message, 1_000)} (${facts.join(', ')})`;
}
