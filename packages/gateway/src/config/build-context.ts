import { resolve } from 'node:path';
import { GatewayError, type GatewayErrorCode } from '../ports/gateway-error.ts';
import type { ConfigSource } from './config-text.ts';
import { isForeignPlaceholder } from './foreign-placeholder.ts';
import { Secret } from './secret.ts';

/** Values of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

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
  /** The folder of the configuration's file; `undefined` for one that came from no file. */
  readonly folder: string | undefined;
}

const HOLE = /\$\$\{|\$\{(?:env:([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\})?/g;

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
  const fail = (
    pointer: string,
    message: string,
    code: GatewayErrorCode = 'gateway/config-invalid',
  ): never => {
    const place = source.locate(pointer);
    const where = place.line === undefined ? '' : `line ${place.line}, column ${place.column ?? 1}, `;
    throw new GatewayError(code, `${where}${pointer === '' ? '(root)' : pointer}: ${message}`, { place });
  };
  const fill = (pointer: string, text: string): string =>
    text.replace(HOLE, (hole: string, name: string | undefined, otherwise: string | undefined) => {
      if (hole === '$${') return '${';
      if (name === undefined)
        return fail(
          pointer,
          `a placeholder is $\{env:NAME} or $\{env:NAME:-default}; write $$\{ for a literal $\{`,
        );
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      const filled = value === undefined || value === '' ? otherwise : value;
      return filled ?? fail(pointer, `the environment has no ${name}`, 'gateway/secret-missing');
    });
  return Object.freeze({
    fail,
    fill,
    folder,
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
