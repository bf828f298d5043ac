import { writeJson } from '../json/write-json.ts';
import { cleanReason } from './clean-reason.ts';
import { PolicyError } from './policy-error.ts';

/** A decision, detached from what the approver answered with. */
export type Decision =
  | { readonly kind: 'allow'; readonly argumentsText?: string }
  | { readonly kind: 'decline'; readonly reason?: string }
  | { readonly kind: 'defer' };

/**
 * Reads the answer of an approver. Each member is read once, edited arguments become the JSON text that the contract
 * will read, and the reason is cleaned.
 *
 * @throws {@link PolicyError} `policy/decision-invalid` for everything that is no decision.
 */
export function readDecision(answer: unknown): Decision {
  if (answer === 'allow' || answer === 'decline' || answer === 'defer') return { kind: answer };
  if (typeof answer !== 'object' || answer === null) refuse();
  let members: ReadonlyMap<string, unknown>;
  try {
    members = new Map<string, unknown>(Object.entries(answer));
  } catch (cause) {
    return refuse(cause);
  }
  const kind = members.get('decision');
  switch (kind) {
    case 'allow': {
      refuseOthers(members, 'arguments');
      const edited = members.get('arguments');
      return edited === undefined ? { kind } : { kind, argumentsText: readEditedArguments(edited) };
    }
    case 'decline': {
      refuseOthers(members, 'reason');
      const reason = members.get('reason');
      if (reason !== undefined && typeof reason !== 'string') refuse();
      const cleaned = reason === undefined ? '' : cleanReason(reason);
      return cleaned === '' ? { kind } : { kind, reason: cleaned };
    }
    case 'defer':
      refuseOthers(members);
      return { kind };
    default:
      return refuse();
  }
}

/**
 * The JSON text of edited arguments.
 *
 * @throws {@link PolicyError} `policy/decision-invalid` for anything but an object that has a JSON form.
 */
export function readEditedArguments(edited: unknown): string {
  let text: string;
  try {
    text = writeJson(edited);
  } catch (cause) {
    return refuse(cause);
  }
  if (!text.startsWith('{')) refuse();
  return text;
}

/** A misspelt `arguments` must not run what the reviewer meant to change. */
function refuseOthers(members: ReadonlyMap<string, unknown>, known?: string): void {
  for (const name of members.keys()) if (name !== 'decision' && name !== known) refuse();
}

function refuse(cause?: unknown): never {
  throw new PolicyError(
    'policy/decision-invalid',
    "An approver answers 'allow', 'decline', 'defer', or { decision, arguments? or reason? }.",
    cause === undefined ? undefined : { cause },
  );
}
