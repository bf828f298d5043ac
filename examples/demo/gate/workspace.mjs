// What the tools of the demonstration work on: a folder in memory, gone when the process ends.
import { posix } from 'node:path';
import { ToolError } from '@toolgate/core';

const ROOT = '/workspace';

/**
 * Contents by path. The token is made up.
 * @returns {Map<string, string>}
 */
export function createWorkspace() {
  return new Map([
    [`${ROOT}/notes/launch.md`, '# Launch\nWednesday at noon, if the tests are green.\n'],
    [`${ROOT}/notes/people.md`, '# People\nAsk before you write to a channel.\n'],
    [
      `${ROOT}/settings.ini`,
      'endpoint = https://search.example\nauthorization = Bearer demo.0123456789abcdef\n',
    ],
  ]);
}

/**
 * A path inside the workspace. The text of a `ToolError` is for the model.
 * @param {string} path
 * @returns {string}
 */
export function inside(path) {
  const resolved = posix.resolve(ROOT, path);
  if (resolved === ROOT || resolved.startsWith(`${ROOT}/`)) return resolved;
  throw new ToolError(`Only paths below ${ROOT} can be used.`);
}
