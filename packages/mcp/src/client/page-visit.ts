import type {
  ElicitRequestURLParams,
  ElicitResult,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import { isObject } from '../value-shape.ts';

/** Pages that one refusal may name. */
const MAX_PAGES = 8;
const MAX_ADDRESS = 8_192;
const MAX_MESSAGE = 4_096;
/** What moves the cursor of a terminal, or turns the order of what is read. Lines may end. */
const UNSEEN = /(?!\n)[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Sends a person to one page. */
export type OpenPage = (page: ElicitRequestURLParams, signal: AbortSignal) => Promise<ElicitResult>;

/**
 * A page that may be put before a person: one that a browser opens, without a name before its host. The address is written
 * as a browser reads it, so that whoever shows it shows where it leads.
 */
export function readPage(entry: unknown): ElicitRequestURLParams | undefined {
  if (!isObject(entry)) return undefined;
  const { url: address, message, elicitationId } = entry;
  if (typeof address !== 'string' || typeof message !== 'string' || address.length > MAX_ADDRESS)
    return undefined;
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  return {
    mode: 'url',
    url: url.href,
    message: message.slice(0, MAX_MESSAGE).toWellFormed().replace(UNSEEN, ''),
    elicitationId: typeof elicitationId === 'string' ? elicitationId : '',
  };
}

/**
 * Sends a person to the pages that a server wants to have been visited before it takes a request (2025-11-25, URL mode).
 *
 * @returns Whether there were any, and the person went to each of them.
 */
export async function visitPages(
  { elicitations }: UrlElicitationRequiredError,
  openPage: OpenPage,
  signal: AbortSignal,
): Promise<boolean> {
  const named: unknown = elicitations;
  if (!Array.isArray(named) || named.length === 0 || named.length > MAX_PAGES) return false;
  const pages = named.flatMap((entry: unknown) => readPage(entry) ?? []);
  if (pages.length < named.length) return false;
  for (const page of pages) {
    const { action } = await openPage(page, signal);
    if (action !== 'accept' || signal.aborted) return false;
  }
  return true;
}
