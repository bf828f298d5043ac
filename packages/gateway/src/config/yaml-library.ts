import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';

/** The library that reads YAML. Its seventy files are loaded with the first text: a module as configuration needs none of them. */
export function yamlLibrary(): typeof Yaml {
  loaded ??= createRequire(import.meta.url)('yaml') as typeof Yaml;
  return loaded;
}

let loaded: typeof Yaml | undefined;
