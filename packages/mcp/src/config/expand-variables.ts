import { McpError } from '../mcp-error.ts';

/** What variables in a configuration stand for. */
export interface VariableSource {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What `${workspaceFolder}` is. */
  readonly folder: string | undefined;
}

/** A text with its variables in place. */
export interface Expanded {
  readonly text: string;
  /** What came from the environment. */
  readonly taken: readonly string[];
}

/** `${…}`; what is inside is judged below. */
const VARIABLES = /\$\{([^{}]*)\}/gu;
const NAME = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([\s\S]*))?$/u;
const INPUT = /^input:([A-Za-z0-9_.-]{1,64})$/u;

/**
 * Puts the environment in: `${NAME}`, `${NAME:-default}` and `${env:NAME}`; `${workspaceFolder}`, `${userHome}` and
 * `${pathSeparator}`; and `${input:ID}`, which an editor would ask for, from `TOOLGATE_INPUT_ID`. What was put in is not
 * looked at again. As in a shell the default also stands for an empty value.
 *
 * @throws {@link McpError} `mcp/config-variable` for one that is not set, `mcp/config-invalid` for another form. Never
 * with a value in it.
 */
export function expandVariables(text: string, source: VariableSource, pointer: string): Expanded {
  if (!text.includes('${')) return { text, taken: [] };
  const taken: string[] = [];
  const expanded = text.replace(VARIABLES, (_whole, inner: string) => {
    const fixed = fixedVariable(inner, source);
    if (fixed !== undefined) return fixed;
    const value = environmentVariable(inner, source, pointer);
    if (value.taken) taken.push(value.text);
    return value.text;
  });
  return { text: expanded, taken };
}

function fixedVariable(inner: string, { env, folder }: VariableSource): string | undefined {
  switch (inner) {
    case 'workspaceFolder':
      return folder;
    case 'userHome':
      return env['HOME'] ?? env['USERPROFILE'];
    case 'pathSeparator':
    case '/':
      return process.platform === 'win32' ? '\\' : '/';
    default:
      return undefined;
  }
}

function environmentVariable(
  inner: string,
  { env }: VariableSource,
  pointer: string,
): { readonly text: string; readonly taken: boolean } {
  const asked = INPUT.exec(inner)?.[1];
  const [, plain, fallback] = NAME.exec(inner) ?? [];
  const name =
    asked === undefined ? plain : `TOOLGATE_INPUT_${asked.toUpperCase().replace(/[^A-Z0-9_]/gu, '_')}`;
  if (name === undefined) {
    throw new McpError(
      'mcp/config-invalid',
      'This form of a variable is not known; a name, env:NAME or NAME:-default stands in the braces.',
      { pointer },
    );
  }
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (value !== undefined && (value !== '' || fallback === undefined)) return { text: value, taken: true };
  if (fallback !== undefined) return { text: fallback, taken: false };
  const why = asked === undefined ? '' : ' (in its place an editor would ask you)';
  throw new McpError('mcp/config-variable', `The variable ${name.slice(0, 80)} is not set${why}.`, {
    pointer,
  });
}
