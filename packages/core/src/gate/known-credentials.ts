/**
 * Credentials that are known by how they begin: of model providers, code hosts, clouds, payments, mail, chats, tools and package
 * registries, and JSON Web Tokens.
 */
const FORMS: readonly string[] = [
  '(?:sk|rk|pk)[-_][A-Za-z0-9_-]{20,65536}',
  '(?:xai|pplx|nvapi)-[A-Za-z0-9_-]{30,65536}',
  '(?:gsk|hf)_[A-Za-z0-9]{30,65536}',
  'r8_[A-Za-z0-9]{30,65536}',
  'tvly-[A-Za-z0-9_-]{20,65536}',
  'AIza[A-Za-z0-9_-]{35}',
  'ya29\\.[A-Za-z0-9_-]{20,65536}',
  'A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])',
  'dop_v1_[a-f0-9]{64}',
  'gh[opsur]_[A-Za-z0-9]{30,65536}',
  'github_pat_[A-Za-z0-9_]{20,65536}',
  'glpat-[A-Za-z0-9_-]{20,65536}',
  'hvs\\.[A-Za-z0-9_-]{20,65536}',
  'whsec_[A-Za-z0-9+/=]{20,65536}',
  'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}',
  'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,128}',
  'xox[a-z]-[A-Za-z0-9-]{10,65536}',
  'xapp-[A-Za-z0-9-]{20,65536}',
  'glsa_[A-Za-z0-9]{20,65536}',
  'lin_api_[A-Za-z0-9]{30,65536}',
  'figd_[A-Za-z0-9_-]{30,65536}',
  'ntn_[A-Za-z0-9]{30,65536}',
  'sbp_[a-f0-9]{40}',
  'npm_[A-Za-z0-9]{36}',
  'pypi-[A-Za-z0-9_-]{50,65536}',
  'dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,65536}',
  'eyJ[A-Za-z0-9_-]{10,8000}\\.eyJ[A-Za-z0-9_-]{10,8000}\\.[A-Za-z0-9_-]{10,65536}',
];
/** What each begins with comes first of all: most of a text is passed over by two letters. */
const BEGINNING = '(?=[rspxnghtAydwSlfe][kapvsf8IKShioGbtycl])';
/** None begins within another word, so that a text is read in linear time; also behind an escape of JSON. */
const OUTSIDE_WORDS = '(?:(?<![A-Za-z0-9_-])|(?<=\\\\(?:[nrt]|u[0-9a-fA-F]{4})))';
const TOKEN = new RegExp(`${BEGINNING}${OUTSIDE_WORDS}(?:${FORMS.join('|')})`, 'gu');
const WORD_LIKE = /^[srp]k/;
const PIECES = /[A-Za-z0-9]{12,65536}/g;
/** What signs or opens an address. The tokens of pages are no secrets, and a model needs them. */
const QUERY =
  /([?&](?:access_token|api_?key|client_secret|password|sig|signature|x-amz-(?:signature|security-token)|x-goog-signature)=)([^&\s"'<>\\]{8,65536})/giu;
const BEGIN = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/gu;
/** Between the lines of a key: their ends, which may be escaped. */
const GAP = /(?:\s|\\{1,99}[nr]){0,65536}/y;
/** Up to what may be a line of the key: the ends of lines get lost. */
const HEADER = /(?:Proc-Type|DEK-Info):(?:(?![A-Za-z0-9+/=]{16})[^\n\\]){0,200}/y;
const LINE = /[A-Za-z0-9+/=]{16,65536}/y;
const SHORT_LINE = /[A-Za-z0-9+/=]{1,15}/y;
const END = /-----END [A-Z ]{0,40}PRIVATE KEY-----/y;
/** There are two; a header may hold the beginning of another key, so that more would be read over and over. */
const MAX_HEADERS = 4;

/**
 * Replaces credentials of known shapes.
 *
 * @param replace - Gives what stands in the place of one; told what stays in front of it.
 */
export function redactKnown(text: string, replace: (kept: string) => string): string {
  return redactKeys(text, replace)
    .replace(TOKEN, (token) => (isMade(token) ? replace('') : token))
    .replace(QUERY, (_match, kept: string) => replace(kept));
}

/** Words that are joined are no token, such as the name of a primary key: what is made at random has a long piece, too. */
function isMade(token: string): boolean {
  if (WORD_LIKE.test(token)) return (token.match(PIECES) ?? []).some(isMixed);
  // Some have letters of one case alone, by chance.
  return token.startsWith('A') || isMixed(token);
}

function isMixed(piece: string): boolean {
  return /\d/.test(piece) || (/[a-z]/.test(piece) && /[A-Z]/.test(piece));
}

/** Replaces private keys as text files hold them, with their first and last lines; where one is only talked of, nothing. */
function redactKeys(text: string, replace: (kept: string) => string): string {
  let redacted = '';
  let from = 0;
  BEGIN.lastIndex = 0;
  for (let begin = BEGIN.exec(text); begin !== null; begin = BEGIN.exec(text)) {
    const end = keyEnd(text, BEGIN.lastIndex);
    if (end === undefined) continue;
    redacted += text.slice(from, begin.index) + replace('');
    from = end;
    BEGIN.lastIndex = end;
  }
  return redacted + text.slice(from);
}

/** Where a key ends whose lines begin here, with its last line where that is there. Never goes back: a stranger wrote this. */
function keyEnd(text: string, start: number): number | undefined {
  let at = start;
  for (let headers = 0; headers < MAX_HEADERS; headers += 1) {
    const next = behind(HEADER, text, behind(GAP, text, at) ?? at);
    if (next === undefined) break;
    at = next;
  }
  let end: number | undefined;
  for (let next: number | undefined = at; next !== undefined; ) {
    next = behind(LINE, text, behind(GAP, text, next) ?? next);
    end = next ?? end;
  }
  if (end === undefined) return undefined;
  const gap = behind(GAP, text, end) ?? end;
  const rest = behind(SHORT_LINE, text, gap) ?? gap;
  return behind(END, text, behind(GAP, text, rest) ?? rest) ?? end;
}

function behind(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
