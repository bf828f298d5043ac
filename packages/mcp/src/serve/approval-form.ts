import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { type ApprovalRequest, canonicalJson } from '@toolgate/core';
import { visibleJson } from '../lock/visible-json.ts';

/** Characters of the arguments that a person is shown. */
const MAX_SHOWN = 2_000;

/** Blanks in a row that would push what follows out of sight. */
const BLANKS = / {20,}/g;

/**
 * The question that a person at a client is asked about one call. What was defaulted is among what is shown, and nothing
 * in it hides: neither in characters that are not seen, or turn the others around, nor behind blanks.
 */
export function approvalForm({
  tool,
  class: executionClass,
  arguments: args,
}: ApprovalRequest): Pick<ElicitRequestFormParams, 'message' | 'requestedSchema'> {
  const text = visibleJson(canonicalJson(args).replace(BLANKS, ({ length }) => `(${length} blanks)`));
  const shown =
    text.length <= MAX_SHOWN
      ? text
      : `${text.slice(0, MAX_SHOWN).toWellFormed()} … (${text.length - MAX_SHOWN} more characters)`;
  return {
    message: `Run ${tool} (${executionClass}) with ${shown}?`,
    requestedSchema: {
      type: 'object',
      properties: {
        approve: { type: 'boolean', title: 'Run it', description: 'Nothing runs unless this is set.' },
      },
      required: ['approve'],
    },
  };
}
