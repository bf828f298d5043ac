/**
 * Every code of {@link JsonError} with the sentence it stands for. Closed: adding one is a change of the API.
 * The sentences are ours and free of input.
 */
export const JSON_ERROR_CODES = {
  'json/too-large': 'the text has more bytes than allowed',
  'json/too-deep': 'the value is nested deeper than allowed',
  'json/bad-utf8': 'the bytes are not UTF-8',
  'json/bom': 'the text begins with a byte order mark',
  'json/unexpected-end': 'the text ends before the value is complete',
  'json/unexpected-token': 'this is not JSON',
  'json/trailing-data': 'there is something after the value',
  'json/bad-number': 'the number is malformed',
  'json/number-range': 'the number does not fit a finite double',
  'json/inexact-integer': 'the integer would be rounded; write it as a string',
  'json/bad-escape': 'the escape sequence is malformed',
  'json/control-character': 'a control character in a string must be escaped',
  'json/lone-surrogate': 'half of a surrogate pair stands alone',
  'json/noncharacter': 'the string holds a Unicode noncharacter',
  'json/duplicate-member': 'the member name occurs twice in one object',
  'json/forbidden-member': 'the member name is not allowed because it can change a prototype',
  'json/unsupported-value': 'the value has no JSON form',
  'json/cycle': 'the value contains itself',
  'json/getter-failed': 'reading the value threw an error',
  'json/options-invalid': 'an argument or option is not valid',
} as const;

/** What was wrong with a JSON text, with a value that should become one, or with an option. */
export type JsonErrorCode = keyof typeof JSON_ERROR_CODES;
