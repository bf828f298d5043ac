/**
 * Given to `node --import` for the conformance suite. Its clients run in the test, which has everything loaded, and not
 * in a process each. And it starts on Node 20: it names an export of `fs` that Node has from 22 on, for a command that is
 * not used here.
 */
import * as fs from 'node:fs';
import { register } from 'node:module';

const globSync =
  "export * from 'node:fs'; export const globSync = () => { throw new Error('Not on Node 20.'); };";
const replaced = {
  child_process: new URL('call-runner.mjs', import.meta.url).href,
  ...('globSync' in fs ? {} : { fs: `data:text/javascript,${encodeURIComponent(globSync)}` }),
};
const hook = `const replaced = new Map(Object.entries(${JSON.stringify(replaced)}));
  export const resolve = (specifier, context, next) => {
    const isSuite = /@modelcontextprotocol\\/conformance\\/dist\\//.test(context.parentURL ?? '');
    const url = isSuite ? replaced.get(specifier) : undefined;
    return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
  };`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
