import type { Tool } from '../tool/tool.ts';
import { readDeclared } from './declared.ts';
import { PolicyError } from './policy-error.ts';

/** Asks whether a tool is offered to this caller now. Answers synchronously when the policy does. */
export type AvailabilityPolicy<Context> = (context: Context) => boolean | Promise<boolean>;

/**
 * The availability policy of a tool, found through its wrapping chain and read once; `undefined` when there is none
 * and the tool is available. The returned question throws, or its promise rejects, with {@link PolicyError}
 * `policy/availability-failed` when the policy throws or answers with anything but `true` or `false`: an answer
 * that cannot be read is never a yes.
 *
 * @throws {@link PolicyError} `policy/availability-invalid` when something else than a function is declared.
 */
export function availabilityOf<Context>(tool: Tool<Context>): AvailabilityPolicy<Context> | undefined {
  const declared = readDeclared(tool, 'available', 'policy/availability-invalid');
  if (declared === undefined) return undefined;
  const { owner, value } = declared;
  if (typeof value !== 'function') {
    throw new PolicyError(
      'policy/availability-invalid',
      'A tool declares "available" as a function; leave it out for a tool that is always available.',
    );
  }
  return (context) => {
    let answer: unknown;
    try {
      answer = Reflect.apply(value, owner, [context]);
    } catch (cause) {
      throw failed(cause);
    }
    if (typeof answer === 'boolean') return answer;
    return Promise.resolve(answer).then(toBoolean, (cause: unknown) => {
      throw failed(cause);
    });
  };
}

/**
 * Previews the availability policy of a tool without arguments. It authorises nothing, neither a call nor a resource.
 *
 * @throws {@link PolicyError} as {@link availabilityOf} and its question do, always through the promise.
 */
export async function isAvailable<Context>(tool: Tool<Context>, context: Context): Promise<boolean> {
  const available = availabilityOf(tool);
  return available === undefined || (await available(context));
}

function toBoolean(answer: unknown): boolean {
  if (typeof answer === 'boolean') return answer;
  throw new PolicyError(
    'policy/availability-failed',
    'An availability policy answered with something else than true or false.',
  );
}

function failed(cause: unknown): PolicyError {
  return new PolicyError('policy/availability-failed', 'An availability policy could not decide.', { cause });
}
