import type { JsonObject, JsonValue } from '@toolgate/core';
import { McpError } from '../mcp-error.ts';

/** An error in a configuration. The text never holds a value of the file: it may be a secret. */
export function configFault(message: string, pointer: string): McpError {
  return new McpError('mcp/config-invalid', message, { pointer });
}

/** An own member that is not `null`: editors write that for what is not set. */
export function optional(value: JsonObject, name: string): JsonValue | undefined {
  return (Object.hasOwn(value, name) ? value[name] : undefined) ?? undefined;
}

/** @throws McpError `mcp/config-invalid` */
export function asObject(value: JsonValue | undefined, pointer: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw configFault('An object is expected here.', pointer);
}

/** @throws McpError `mcp/config-invalid` */
export function asList(value: JsonValue, pointer: string): readonly JsonValue[] {
  if (Array.isArray(value)) return value as readonly JsonValue[];
  throw configFault('A list is expected here.', pointer);
}

/** @throws McpError `mcp/config-invalid` also for a text with a NUL, which no process and no header can have. */
export function asText(value: JsonValue, pointer: string): string {
  if (typeof value !== 'string') throw configFault('A text is expected here.', pointer);
  if (value.includes('\0')) throw configFault('The text holds a NUL character.', pointer);
  return value;
}

/** @throws McpError `mcp/config-invalid` */
export function asFlag(value: JsonValue, pointer: string): boolean {
  if (typeof value !== 'boolean') throw configFault('true or false is expected here.', pointer);
  return value;
}
