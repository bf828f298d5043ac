/** Strict JSON, schemas, tool contracts, policy and the gate. */
export { canonicalJson } from './json/canonical-json.ts';
export { cloneJson } from './json/clone-json.ts';
export { type Digest, digest, digestText } from './json/digest.ts';
export { freezeJson } from './json/freeze-json.ts';
export { JsonError, type JsonPlace } from './json/json-error.ts';
export { JSON_ERROR_CODES, type JsonErrorCode } from './json/json-error-code.ts';
export { appendPointer, joinPointer } from './json/json-pointer.ts';
export type { JsonArray, JsonObject, JsonScalar, JsonValue } from './json/json-value.ts';
export { readJson } from './json/read-json.ts';
export type { ReadJsonOptions } from './json/read-rules.ts';
export { writeJson } from './json/write-json.ts';
export type { WriteJsonOptions } from './json/write-rules.ts';
