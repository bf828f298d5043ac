import type { JsonError } from '../json/json-error.ts';
import type { JsonErrorCode } from '../json/json-error-code.ts';
import { describeIssues } from '../schema/describe-issues.ts';
import { maxIssues } from '../schema/explain/explanation.ts';
import type { Issue } from '../schema/schema.ts';
import type { ArgumentLimits } from './argument-limits.ts';
import type { CallRefusal } from './call-refusal.ts';

type FixedReason =
  | 'tool_unavailable'
  | 'call_id_invalid'
  | 'call_incomplete'
  | 'arguments_malformed'
  | 'validator_defect';

/** Texts that never depend on the call. */
const TEXTS: Readonly<Record<FixedReason, string>> = {
  tool_unavailable: 'The tool is not available.',
  call_id_invalid: 'The call id has to be 1 to 256 bytes of text, not blank, without control characters.',
  call_incomplete: 'The call was cut off and did not run. If its arguments are long, send less at once.',
  arguments_malformed: 'The arguments have to be the text of a JSON object.',
  validator_defect: 'The call could not be checked.',
};

/** A refusal with the fixed text of its reason. `cause` is kept for diagnosis only. */
export function refuse(reason: FixedReason, cause?: unknown): CallRefusal {
  return seal({ reason, text: TEXTS[reason] }, 'cause', cause);
}

/** The refusal for a text that is no I-JSON text, or that breaks a bound. */
export function refuseText(error: JsonError, limits: ArgumentLimits): CallRefusal {
  return seal(describeError(error.code, error, limits), 'jsonError', error);
}

/** The refusal for a root that is not an object. */
export function refuseRoot(found: unknown): CallRefusal {
  const kind = found === null ? 'null' : Array.isArray(found) ? 'an array' : `a ${typeof found}`;
  const hint = typeof found === 'string' ? ' Send the object itself, not a string that contains it.' : '';
  const text = `The arguments have to be a JSON object; the top level was ${kind}.${hint}`;
  return Object.freeze({ reason: 'arguments_not_object', text });
}

/** The refusal for arguments that a schema or a validator did not accept. */
export function refuseIssues(issues: readonly Issue[]): CallRefusal {
  const lines = describeIssues(issues);
  // The search for issues stops there; a count would claim too much.
  const more = issues.length >= maxIssues && !lines.endsWith(' more') ? '\n... and there may be more' : '';
  return Object.freeze({
    reason: 'arguments_rejected',
    text: `The arguments were rejected:\n${lines}${more}`,
    issues,
  });
}

function describeError(code: JsonErrorCode, error: JsonError, limits: ArgumentLimits): CallRefusal {
  if (code === 'json/too-large') {
    return { reason: 'arguments_too_large', text: `The arguments may have ${limits.maxBytes} bytes.` };
  }
  if (code === 'json/too-deep') {
    return {
      reason: 'arguments_too_deep',
      text: `The arguments may be nested ${limits.maxDepth} levels deep.`,
    };
  }
  return { reason: 'arguments_malformed', text: `The arguments cannot be read as JSON: ${error.message}.` };
}

/** Attaches a diagnosis that encoding, logging and spreading do not carry, and freezes. */
function seal(refusal: CallRefusal, name: 'cause' | 'jsonError', diagnosis: unknown): CallRefusal {
  if (diagnosis !== undefined) Object.defineProperty(refusal, name, { value: diagnosis, enumerable: false });
  return Object.freeze(refusal);
}
