import type { ToolCall } from '@toolgate/core';
import type { CallExpectation, CorpusCall, CorpusCase, CorpusResume } from './corpus-case.ts';
import { textOf } from './text-spec.ts';

/** A call as it is proposed, with its right outcome. */
export interface ProposedCall {
  readonly proposal: ToolCall;
  readonly expect: CallExpectation;
  readonly resume?: CorpusResume;
}

/** Calls that are executed together. */
export interface Turn {
  readonly calls: readonly ProposedCall[];
}

const propose = (call: CorpusCall, index: number): ProposedCall => ({
  proposal: {
    id: call.id === undefined ? `call-${index + 1}` : textOf(call.id),
    name: textOf(call.name),
    arguments: textOf(call.arguments),
    ...(call.complete === undefined ? {} : { complete: call.complete }),
  },
  expect: call.expect,
  ...(call.resume === undefined ? {} : { resume: call.resume }),
});

/** The turns of a case: one with all calls, or one for each call. */
export function turnsOf(item: CorpusCase): readonly Turn[] {
  const calls = item.calls.map(propose);
  return item.together === true ? [{ calls }] : calls.map((call) => ({ calls: [call] }));
}
