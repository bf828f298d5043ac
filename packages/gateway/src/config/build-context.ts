import { resolve } from 'node:path';
import { GatewayError } from '../ports/gateway-error.ts';
import { configFault } from './config-fault.ts';
import type { ConfigSource } from './config-text.ts';
import { isForeignPlaceholder } from './foreign-placeholder.ts';
import { type Environment, missingVariable, variableOf } from './missing-variables.ts';
import { HOLE, placeholdersOf } from './placeholders.ts';
import { Secret } from './secret.ts';

/** What every part of a configuration is built with. */
export interface BuildContext {
  /** Says what is wrong with the value at a pointer, without the value, and ends the part that is being built. */
  readonly fail: (pointer: string, message: string) => never;
  /** The same, where the part can be built on: whoever made one mistake has often made another. */
  readonly note: (pointer: string, message: string) => void;
  /** Builds a part for itself: what is wrong with it is noted, and what stands beside it is looked at all the same. */
  readonly part: <Built>(build: () => Built) => Built | undefined;
  /** What is wrong with the parts, and what nothing has filled in: that would stand for a name that nobody meant. */
  readonly faults: () => readonly GatewayError[];
  /** A text with `${env:NAME}` and `${env:NAME:-default}` filled in; `$${` is a literal `${`. */
  readonly fill: (pointer: string, text: string) => string;
  /** The same, as something that cannot be printed. The name of a variable in another form is refused. */
  readonly secret: (pointer: string, text: string) => Secret;
  /** The same, as a path: a relative one begins at the folder of the file. */
  readonly path: (pointer: string, text: string) => string;
  /** The folder of the configuration's file; `undefined` for one that came from no file. */
  readonly folder: string | undefined;
}

/**
 * Makes the context of one configuration.
 *
 * @param folder - Of its file, absolute.
 */
export function createBuildContext(
  source: ConfigSource,
  env: Environment,
  folder: string | undefined,
): BuildContext {
  const faults: GatewayError[] = [];
  const fail = (pointer: string, message: string): never => {
    throw configFault(source, pointer, message);
  };
  const seen = new Set<string>();
  const fill = (pointer: string, text: string): string => {
    seen.add(pointer);
    return text.replace(HOLE, (hole: string, name: string | undefined, otherwise: string | undefined) => {
      if (hole === '$${') return '${';
      if (name === undefined)
        return fail(
          pointer,
          `a placeholder is $\{env:NAME} or $\{env:NAME:-default}; write $$\{ for a literal $\{`,
        );
      const filled = variableOf(env, name) ?? otherwise;
      if (filled === undefined) throw missingVariable(source, pointer, name);
      return filled;
    });
  };
  return Object.freeze({
    fail,
    fill,
    folder,
    note(pointer: string, message: string) {
      faults.push(configFault(source, pointer, message));
    },
    part<Built>(build: () => Built) {
      try {
        return build();
      } catch (error) {
        if (!GatewayError.is(error)) throw error;
        faults.push(error);
        return undefined;
      }
    },
    faults() {
      const places = faults.map(({ place }) => place?.pointer ?? '');
      // What is within a part that could not be built was not come to.
      const isOpen = (pointer: string): boolean =>
        !seen.has(pointer) && !places.some((place) => pointer === place || pointer.startsWith(`${place}/`));
      const unfilled = new Set(
        placeholdersOf(source.value)
          .map(({ pointer }) => pointer)
          .filter(isOpen),
      );
      const words = 'nothing is filled in here; write the value itself in place of the placeholder';
      return [...faults, ...[...unfilled].map((pointer) => configFault(source, pointer, words))];
    },
    path(pointer: string, text: string) {
      const path = fill(pointer, text);
      return folder === undefined ? path : resolve(folder, path);
    },
    secret(pointer: string, text: string) {
      // Only what stands in the file: in the environment nobody can read it there.
      if (isForeignPlaceholder(text)) {
        return fail(
          pointer,
          `a variable of the environment is written $\{env:NAME}; as it stands, this text itself would be the value`,
        );
      }
      return new Secret(fill(pointer, text));
    },
  });
}
