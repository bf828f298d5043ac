/**
 * Lets the conformance suite start on Node 20: it names an export of `fs` that Node has from 22 on, for a command that
 * is not used here. Given to `node --import`.
 */
import * as fs from 'node:fs';
import { register } from 'node:module';

if (!('globSync' in fs)) {
  const source =
    "export * from 'node:fs'; export const globSync = () => { throw new Error('Not on Node 20.'); };";
  const shim = `data:text/javascript,${encodeURIComponent(source)}`;
  const hook = `export const resolve = (specifier, context, next) =>
    specifier === 'fs' && /@modelcontextprotocol\\/conformance\\//.test(context.parentURL ?? '')
      ? { url: ${JSON.stringify(shim)}, shortCircuit: true }
      : next(specifier, context);`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
