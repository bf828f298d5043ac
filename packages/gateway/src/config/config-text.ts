import { JsonError, type JsonValue, readJson, toJsonValue } from '@toolgate/core';
import type { Document, LineCounter, Node } from 'yaml';
import { type ConfigPlace, GatewayError } from '../ports/gateway-error.ts';
import { yamlFault } from './yaml-faults.ts';
import { yamlLibrary } from './yaml-library.ts';

/** A configuration before anything about it was checked. */
export interface ConfigSource {
  readonly value: JsonValue;
  /** Where a value is in the text; without line and column when there is no text. */
  readonly locate: (pointer: string) => ConfigPlace;
}

/** Bytes of a configuration; one that is larger is a mistake. */
const MAX_BYTES = 4_194_304;

/**
 * Reads YAML 1.2: plain data only. No tags of anybody's own, no key twice, no merge keys; aliases are bounded.
 *
 * @throws GatewayError `gateway/config-invalid` with the place.
 */
export function readYamlText(text: string): ConfigSource {
  const { document, lines } = parse(text);
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) throw unreadable(yamlFault(fault.code), placeAt(lines, fault.pos[0], ''));
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw new GatewayError('gateway/config-invalid', 'The configuration has too many aliases.', { cause });
  }
  return toSource(value ?? {}, locator(document, lines));
}

/**
 * Reads JSON, strictly.
 *
 * @throws GatewayError `gateway/config-invalid` with the place.
 */
export function readJsonText(text: string): ConfigSource {
  try {
    const value = readJson(text, { maxBytes: MAX_BYTES });
    const { document, lines } = parse(text);
    return { value, locate: locator(document, lines) };
  } catch (cause) {
    if (!JsonError.is(cause)) throw cause;
    const place = {
      pointer: cause.pointer ?? '',
      ...(cause.line === undefined ? {} : { line: cause.line }),
      ...(cause.column === undefined ? {} : { column: cause.column }),
    };
    throw unreadable(`it is not JSON (${cause.code})`, place, cause);
  }
}

/** Takes a value that a module exported. */
export function readConfigValue(value: unknown): ConfigSource {
  return toSource(value, (pointer) => ({ pointer }));
}

function parse(text: string): { readonly document: Document; readonly lines: LineCounter } {
  if (Buffer.byteLength(text) > MAX_BYTES)
    throw unreadable(`it is larger than ${MAX_BYTES} bytes`, { pointer: '' });
  const yaml = yamlLibrary();
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    schema: 'core',
    merge: false,
    strict: true,
    stringKeys: true,
    uniqueKeys: true,
  });
  return { document, lines };
}

function toSource(value: unknown, locate: ConfigSource['locate']): ConfigSource {
  try {
    return { value: toJsonValue(value), locate };
  } catch (cause) {
    if (!JsonError.is(cause)) throw cause;
    throw unreadable(
      `it holds something that JSON cannot (${cause.code})`,
      locate(cause.pointer ?? ''),
      cause,
    );
  }
}

/** Finds the node of a pointer, or the last one on the way to it. */
function locator(document: Document, lines: LineCounter): ConfigSource['locate'] {
  return (pointer) => {
    let node: unknown = document.contents;
    let start = startOf(node) ?? 0;
    for (const token of pointer.split('/').slice(1)) {
      const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
      const [key, next] = step(node, name);
      if (key === undefined) break;
      start = startOf(key) ?? start;
      node = next;
    }
    return placeAt(lines, start, pointer);
  };
}

/** What to point at for a member or an item, and its value. */
function step(node: unknown, name: string): readonly [key: unknown, value: unknown] {
  const { isMap, isPair, isScalar, isSeq } = yamlLibrary();
  if (isMap(node)) {
    const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === name);
    return [pair?.key, pair?.value];
  }
  const item = isSeq(node) ? node.items[Number(name)] : undefined;
  return [item, item];
}

function startOf(node: unknown): number | undefined {
  return (node as Partial<Node> | null | undefined)?.range?.[0];
}

function placeAt(lines: LineCounter, offset: number, pointer: string): ConfigPlace {
  const { line, col } = lines.linePos(offset);
  return line === 0 ? { pointer } : { pointer, line, column: col };
}

function unreadable(why: string, place: ConfigPlace, cause?: unknown): GatewayError {
  const where = place.line === undefined ? '' : ` at line ${place.line}, column ${place.column ?? 1}`;
  return new GatewayError('gateway/config-invalid', `The configuration cannot be read${where}: ${why}.`, {
    place,
    ...(cause === undefined ? {} : { cause }),
  });
}
