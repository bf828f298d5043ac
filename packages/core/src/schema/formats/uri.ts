import { isIpv6 } from './ip-address.ts';

// RFC 3986. Each part of a URI allows a fixed set of characters and %-triplets, so one table of bits decides all.
const unreserved = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~';
const subDelimiters = "!$&'()*+,;=";

const part = {
  userInfo: 1,
  regName: 2,
  path: 4,
  query: 8,
  scheme: 16,
} as const;

const characterParts: readonly number[] = characterTable();

function characterTable(): readonly number[] {
  const table = new Array<number>(128).fill(0);
  const allow = (characters: string, parts: number): void => {
    for (const character of characters) {
      const code = character.charCodeAt(0);
      table[code] = (table[code] ?? 0) | parts;
    }
  };
  allow(unreserved + subDelimiters, part.userInfo | part.regName | part.path | part.query);
  allow(':', part.userInfo | part.path | part.query);
  allow('@/', part.path | part.query);
  allow('?', part.query);
  allow('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-.', part.scheme);
  return table;
}

/** `uri` of RFC 3986: with a scheme, ASCII only. A relative reference is not one. */
export function isUri(text: string): boolean {
  const colon = text.indexOf(':');
  if (colon < 1 || !/^[A-Za-z]/.test(text) || !allows(text.slice(0, colon), part.scheme)) return false;
  const [beforeFragment, fragment] = cut(text.slice(colon + 1), '#');
  const [hierarchy, query] = cut(beforeFragment, '?');
  if (!allows(fragment, part.query) || !allows(query, part.query)) return false;
  if (!hierarchy.startsWith('//')) return allows(hierarchy, part.path);
  const slash = hierarchy.indexOf('/', 2);
  const end = slash === -1 ? hierarchy.length : slash;
  return isAuthority(hierarchy.slice(2, end)) && allows(hierarchy.slice(end), part.path);
}

function isAuthority(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at !== -1 && !allows(text.slice(0, at), part.userInfo)) return false;
  const hostPort = text.slice(at + 1);
  if (hostPort.startsWith('[')) {
    const close = hostPort.indexOf(']');
    return (
      close !== -1 && isIpLiteral(hostPort.slice(1, close)) && /^(?::\d*)?$/.test(hostPort.slice(close + 1))
    );
  }
  const [host, port] = cut(hostPort, ':');
  return allows(host, part.regName) && /^\d*$/.test(port);
}

function isIpLiteral(text: string): boolean {
  if (isIpv6(text)) return true;
  const future = /^[vV][0-9a-fA-F]+\./.exec(text);
  const rest = future === null ? '' : text.slice(future[0].length);
  return rest !== '' && !rest.includes('%') && allows(rest, part.userInfo);
}

/** The text before and after the first `mark`; nothing after it when there is none. */
function cut(text: string, mark: string): readonly [string, string] {
  const index = text.indexOf(mark);
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}

function allows(text: string, allowed: number): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (((characterParts[code] ?? 0) & allowed) !== 0) continue;
    if (code !== 0x25 || allowed === part.scheme) return false;
    if (!isHexDigit(text.charCodeAt(index + 1)) || !isHexDigit(text.charCodeAt(index + 2))) return false;
    index += 2;
  }
  return true;
}

function isHexDigit(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}
