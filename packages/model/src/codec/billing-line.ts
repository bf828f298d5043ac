import type { ModelCall } from '../call/model-call.ts';
import type { LossLog } from './loss-log.ts';

const LINE = /^x-anthropic-billing-header:[^\n]*(?:\n+|$)/;

/**
 * The call without the line that Claude Code writes before its instructions for Anthropic's accounts. It is another one in
 * each request, so that no other provider would ever find the beginning of a conversation in its cache.
 */
export function withoutBillingLine(call: ModelCall, losses: LossLog): ModelCall {
  const { instructions } = call;
  const index = instructions?.findIndex(({ text }) => LINE.test(text)) ?? -1;
  const billed = instructions?.[index];
  if (!instructions || billed === undefined) return call;
  const text = billed.text.replace(LINE, '');
  losses.add('dropped', '/instructions', 'info', 'a line for the accounts of another provider');
  return {
    ...call,
    instructions: instructions.toSpliced(index, 1, ...(text.trim() === '' ? [] : [{ ...billed, text }])),
  };
}
