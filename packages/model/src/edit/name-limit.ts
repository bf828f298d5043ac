import type { Edit } from './edit.ts';
import { type Container, kindAt, type MemberSpan, memberAt } from './json-spans.ts';
import type { JsonText } from './json-text.ts';
import { removeEntries, type Splice } from './splice.ts';

/** The two members in which OpenAI Chat says how long an answer may be. */
type LimitName = Extract<Edit, { readonly kind: 'name-limit' }>['name'];

/**
 * Says the limit of an answer under one name. A body that says it under both keeps what counts: the newer member, unless
 * it is null.
 */
export function nameLimit(text: JsonText, body: Container<MemberSpan>, name: LimitName): readonly Splice[] {
  const other = memberAt(body, name === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens');
  if (other === undefined) return [];
  const own = memberAt(body, name);
  if (own === undefined) {
    // What stands between the name and its value stays.
    const end = nameEnd(text, other);
    return [{ start: other.start, end, text: JSON.stringify(name) }];
  }
  const removed = removeEntries(body, (position) => body.entries[position] === other);
  const isNull = (member: MemberSpan): boolean => kindAt(text, member.value) === 'null';
  const counts = name === 'max_tokens' ? !isNull(other) : isNull(own) && !isNull(other);
  if (!counts) return removed;
  const value = text.slice(other.value.start, other.value.end);
  return [...removed, { start: own.value.start, end: own.value.end, text: value }];
}

/** Behind the quote that ends the name; neither name holds one, nor a backslash before the end. */
function nameEnd(text: JsonText, { start }: MemberSpan): number {
  return text.indexOf('"', start + 1) + 1;
}
