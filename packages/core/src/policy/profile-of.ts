import type { JsonObject } from '../json/json-value.ts';
import { quoteShort } from '../json/quote-short.ts';
import { DEFAULT_TIMEOUT_MS, type ExecutionClass } from '../tool/profile.ts';
import type { Tool } from '../tool/tool.ts';
import { isToolName } from '../tool/tool-name.ts';
import { readDeclared } from './declared.ts';
import { PolicyError } from './policy-error.ts';

/** A profile with its defaults filled in. Frozen. */
export interface ResolvedProfile {
  /** As declared, also when it is a word outside the list; {@link rankOf} ranks it highest then. */
  readonly class: ExecutionClass;
  readonly resourceKey: string | ((args: JsonObject) => string) | undefined;
  /** In milliseconds. */
  readonly timeoutMs: number | 'none';
  readonly idempotent: boolean;
  /** Name of the tool that shows whether a call took effect; `undefined` when none does. */
  readonly checkWith: string | undefined;
}

const FIELDS: ReadonlySet<string> = new Set(['class', 'resourceKey', 'timeoutMs', 'idempotent', 'checkWith']);

const DEFAULT_PROFILE: ResolvedProfile = Object.freeze({
  class: 'unclassified',
  resourceKey: undefined,
  timeoutMs: DEFAULT_TIMEOUT_MS,
  idempotent: false,
  checkWith: undefined,
});

/**
 * The execution profile of a tool, found through its wrapping chain; each field is read once. A tool without one is
 * `unclassified`, has the default timeout and no resource key.
 *
 * @throws {@link PolicyError} `policy/profile-invalid` for anything but a profile: `undefined`, an unknown field, a
 * class that is no string, a timeout that is no positive finite number and not `'none'`, a blank key.
 */
export function profileOf<Context>(tool: Tool<Context>): ResolvedProfile {
  const declared = readDeclared(tool, 'profile', 'policy/profile-invalid');
  return declared === undefined ? DEFAULT_PROFILE : readProfile(declared.value);
}

function readProfile(value: unknown): ResolvedProfile {
  if (typeof value !== 'object' || value === null)
    refuse('A profile is an object; leave it out for the default.');
  const fields = new Map<string, unknown>(readEntries(value));
  for (const name of fields.keys()) {
    if (!FIELDS.has(name))
      refuse(
        `A profile has an unknown field ${quoteShort(name, 40)}; it takes class, resourceKey, timeoutMs, idempotent, checkWith.`,
      );
  }
  return Object.freeze({
    class: readClass(fields.get('class')),
    resourceKey: readResourceKey(fields.get('resourceKey')),
    timeoutMs: readTimeout(fields.get('timeoutMs')),
    idempotent: readIdempotent(fields.get('idempotent')),
    checkWith: readCheckWith(fields.get('checkWith')),
  });
}

function readEntries(value: object): [string, unknown][] {
  try {
    return Object.entries(value);
  } catch (cause) {
    throw new PolicyError('policy/profile-invalid', 'Reading the profile threw; make it a plain object.', {
      cause,
    });
  }
}

function readClass(value: unknown): ExecutionClass {
  if (value === undefined) return DEFAULT_PROFILE.class;
  if (typeof value !== 'string') refuse('The class of a profile is unclassified, read, write or external.');
  // A word outside the list passes: a tool of a later edition must not become harmless here. `rankOf` ranks it highest.
  return value as ExecutionClass;
}

function readResourceKey(value: unknown): ResolvedProfile['resourceKey'] {
  if (value === undefined || isResourceKeyFunction(value)) return value;
  if (typeof value === 'string' && value.trim() !== '') return value;
  return refuse('A resource key is a non-blank string, or a function from arguments to one.');
}

function isResourceKeyFunction(value: unknown): value is (args: JsonObject) => string {
  return typeof value === 'function';
}

function readTimeout(value: unknown): number | 'none' {
  if (value === undefined) return DEFAULT_PROFILE.timeoutMs;
  if (value === 'none') return value;
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
  return refuse("timeoutMs is a positive number of milliseconds, or 'none' for no bound.");
}

function readIdempotent(value: unknown): boolean {
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  return refuse('idempotent is true or false.');
}

function readCheckWith(value: unknown): string | undefined {
  if (value === undefined || isToolName(value)) return value;
  return refuse('checkWith is the name of a tool.');
}

function refuse(message: string): never {
  throw new PolicyError('policy/profile-invalid', message);
}
