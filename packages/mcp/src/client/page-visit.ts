import type {
  ElicitRequestURLParams,
  ElicitResult,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import { isObject } from '../value-shape.ts';
import type { OpenQuestions } from './open-questions.ts';

/** Pages that one refusal may name. */
const MAX_PAGES = 8;

/** Whether an address may be put before a person: one that a browser opens as a page, and without a name before its host. */
export function isPage(address: string): boolean {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false;
  return url.username === '' && url.password === '';
}

/**
 * Sends a person to the pages that a server wants to have been visited before it takes a request (2025-11-25, URL mode).
 *
 * @returns Whether there were any, and the person went to each of them.
 */
export async function visitPages(
  { elicitations }: UrlElicitationRequiredError,
  openUrl: (page: ElicitRequestURLParams, signal: AbortSignal) => Promise<ElicitResult>,
  questions: OpenQuestions,
  signal: AbortSignal,
): Promise<boolean> {
  const named: unknown = elicitations;
  if (!Array.isArray(named) || named.length === 0 || named.length > MAX_PAGES) return false;
  const pages = named.flatMap((entry: unknown) => pageOf(entry) ?? []);
  if (pages.length < named.length) return false;
  for (const page of pages) {
    const { action } = await questions.during(() => openUrl(page, signal));
    if (action !== 'accept' || signal.aborted) return false;
  }
  return true;
}

function pageOf(entry: unknown): ElicitRequestURLParams | undefined {
  if (!isObject(entry)) return undefined;
  const { url, message, elicitationId } = entry;
  if (typeof url !== 'string' || typeof message !== 'string' || !isPage(url)) return undefined;
  return { mode: 'url', url, message, elicitationId: typeof elicitationId === 'string' ? elicitationId : '' };
}
