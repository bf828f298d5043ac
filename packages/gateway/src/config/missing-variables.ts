import type { GatewayError } from '../ports/gateway-error.ts';
import { configFault } from './config-fault.ts';
import type { ConfigSource } from './config-text.ts';
import { placeholdersOf } from './placeholders.ts';

/** Values of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable of the environment; one that is empty is not set. */
export function variableOf(env: Environment, name: string): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  return value === '' ? undefined : value;
}

/** Faults that are told at once. */
const MAX_FAULTS = 100;

/** The variables that a configuration names and the environment does not have, each with its place, in the order of the file. */
export function missingVariables(source: ConfigSource, env: Environment): readonly GatewayError[] {
  return placeholdersOf(source.value)
    .filter(({ name, otherwise }) => otherwise === undefined && variableOf(env, name) === undefined)
    .slice(0, MAX_FAULTS)
    .map(({ name, pointer }) => missingVariable(source, pointer, name));
}

/** The fault of one variable that is not set. */
export function missingVariable(source: ConfigSource, pointer: string, name: string): GatewayError {
  return configFault(source, pointer, `the environment has no ${name}`, 'gateway/secret-missing');
}
