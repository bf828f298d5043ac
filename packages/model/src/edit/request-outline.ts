import type { Container, MemberSpan } from './json-spans.ts';
import type { KnownToolLists } from './tool-list.ts';

/** What is known about the text of a request besides its meaning. */
export interface RequestOutline {
  readonly body: Container<MemberSpan>;
  readonly lists: KnownToolLists;
}
