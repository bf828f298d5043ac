import { resolve } from 'node:path';
import type { GatewayErrorCode } from '../ports/gateway-error.ts';
import { configFault } from './config-fault.ts';
import type { ConfigSource } from './config-text.ts';
import { isForeignPlaceholder } from './foreign-placeholder.ts';
import { type Environment, missingVariable, variableOf } from './missing-variables.ts';
import { HOLE, placeholdersOf } from './placeholders.ts';
import { Secret } from './secret.ts';

/** What every part of a configuration is built with. */
export interface BuildContext {
  /** Says what is wrong with the value at a pointer, without the value. */
  readonly fail: (pointer: string, message: string, code?: GatewayErrorCode) => never;
  /** A text with `${env:NAME}` and `${env:NAME:-default}` filled in; `$${` is a literal `${`. */
  readonly fill: (pointer: string, text: string) => string;
  /** The same, as something that cannot be printed. The name of a variable in another form is refused. */
  readonly secret: (pointer: string, text: string) => Secret;
  /** The same, as a path: a relative one begins at the folder of the file. */
  readonly path: (pointer: string, text: string) => string;
  /** Refuses a placeholder that nothing has filled in: it would stand for a name that nobody meant. */
  readonly refuseUnfilled: () => void;
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
  const fail = (pointer: string, message: string, code?: GatewayErrorCode): never => {
    throw configFault(source, pointer, message, code);
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
    refuseUnfilled() {
      const unfilled = placeholdersOf(source.value).find(({ pointer }) => !seen.has(pointer));
      if (unfilled !== undefined)
        fail(
          unfilled.pointer,
          'nothing is filled in here; write the value itself in place of the placeholder',
        );
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
