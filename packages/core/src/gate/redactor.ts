import { unknownField } from '../internal/unknown-field.ts';
import { joinLines } from './base64-lines.ts';
import { base64Spellings } from './base64-spellings.ts';
import { redactKnown } from './known-credentials.ts';
import { looseSpelling } from './loose-spelling.ts';

/** A text without its secrets, and how many were replaced. */
export interface Redacted {
  readonly text: string;
  readonly count: number;
}

/** Replaces secrets in a text for the model. A throw keeps the text from being published at all. */
export type Redactor = (text: string) => Redacted;

/** What a redactor looks for. */
export interface RedactorOptions {
  /**
   * Secrets to replace wherever they occur, each of at least 4 characters: as they are, as they stand within JSON text,
   * also within JSON that is a string of other JSON, and percent-encoded, whichever signs a program escapes; those of at least 12 characters also within
   * base64, whose lines may be broken.
   */
  readonly secrets?: readonly string[];
  /**
   * Also replace what follows `Bearer`, `Basic` or `Token`, passwords and signatures in addresses, private keys, and tokens that
   * are known by how they begin. Default `true`.
   */
  readonly credentials?: boolean;
}

const REPLACEMENT = '[redacted]';
const MIN_SECRET = 4;

// Each quantifier is followed by what it cannot match, or is bounded, so that a text is read in linear time. None is without a bound:
// the engine keeps the way back on the stack of the process, and no credential is that long.
const AUTHORIZATION = /\b((?:bearer|basic|token)[ \t]{1,8})([A-Za-z0-9._~+/=-]{8,65536})/giu;
/** "Basic authentication" is a term, "Basic dXNlcjpwYXNz" is a credential. */
const CREDENTIAL = /[0-9_~+/=-]|[a-z][A-Z]|\.[A-Za-z]/u;
const URL_PASSWORD = /(:\/\/[^\s/?#@:"']{0,256}:)[^\s/?#@"']{1,256}@/gu;

/**
 * Makes a redactor for configured secrets and for the usual shapes of credentials. Case is matched
 * exactly.
 *
 * @throws TypeError for a secret that is no string, or so short that it would be found everywhere, and for an unknown
 * option.
 */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const unknown = unknownField(options, ['secrets', 'credentials']);
  if (unknown !== undefined)
    throw new TypeError('A redactor takes secrets and credentials, and nothing else.');
  const { secrets = [], credentials = true } = options;
  const given = takeSecrets(secrets);
  const literals = secretPattern(given);
  const encoded = literalPattern(given.flatMap(base64Spellings));
  return (text) => {
    let count = 0;
    const replace = (kept: string): string => {
      count += 1;
      return `${kept}${REPLACEMENT}`;
    };
    let redacted = literals === undefined ? text : text.replace(literals, () => replace(''));
    if (credentials) {
      redacted = redactKnown(redacted, replace)
        .replace(AUTHORIZATION, (match, scheme: string, credential: string) =>
          CREDENTIAL.test(credential) ? replace(scheme) : match,
        )
        .replace(URL_PASSWORD, (_match, before: string) => `${replace(before)}@`);
    }
    // Last, so that a credential which holds one is replaced as a whole.
    if (encoded !== undefined) redacted = joinLines(redacted, encoded).replace(encoded, () => replace(''));
    return { text: redacted, count };
  };
}

function takeSecrets(secrets: readonly string[]): readonly string[] {
  const given = [...secrets];
  for (const secret of given) {
    if (typeof secret !== 'string' || secret.length < MIN_SECRET) {
      throw new TypeError(`A secret to redact is a string of at least ${MIN_SECRET} characters.`);
    }
  }
  return given;
}

/** Each secret in all its spellings, the longest secret first, so that one that holds another one is replaced as a whole. */
function secretPattern(secrets: readonly string[]): RegExp | undefined {
  if (secrets.length === 0) return undefined;
  const all = [...new Set(secrets)].sort((left, right) => right.length - left.length);
  const sources = all.flatMap((secret) => [...spellings(secret).map(literal), looseSpelling(secret)]);
  return new RegExp([...new Set(sources)].join('|'), 'g');
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function literalPattern(literals: readonly string[]): RegExp | undefined {
  if (literals.length === 0) return undefined;
  const all = [...new Set(literals)];
  // The longest first, so that a secret that holds another one is replaced as a whole.
  all.sort((left, right) => right.length - left.length);
  return new RegExp(all.map(literal).join('|'), 'g');
}

/** How a secret is written in texts that carry it: tools give JSON as text, and errors quote addresses. */
function spellings(secret: string): readonly string[] {
  const inJson = withinJson(secret);
  return [
    secret,
    inJson,
    withinJson(inJson),
    // As some languages write it, so that it can stand in HTML.
    inJson.replaceAll('/', '\\/'),
    encodeURIComponent(secret.toWellFormed()),
  ];
}

function withinJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
