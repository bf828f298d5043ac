import {
  arrayAt,
  type Container,
  impossible,
  kindAt,
  type MemberSpan,
  memberAt,
  objectAt,
  type Span,
  stringAt,
} from './json-spans.ts';
import type { JsonText } from './json-text.ts';
import { removeEntries, type Splice } from './splice.ts';

/** Which tools stay. */
export interface KeptTools {
  /** `undefined` stands for a tool that is no function. */
  isKept(name: string | undefined): boolean;
  /** Whether any tool is left. */
  readonly left: boolean;
}

/** What becomes of the choice. */
export interface FilteredChoice {
  readonly splices: readonly Splice[];
  /** Members of the body that go. */
  readonly gone: readonly string[];
}

const MEMBERS = ['tool_choice', 'function_call'] as const;
const DEMANDS: ReadonlySet<string> = new Set(['required', 'any']);
const WORDS: ReadonlySet<string> = new Set(['auto', 'none', 'required', 'any']);

/**
 * Makes the choice of OpenAI or Anthropic agree with the tools that are left, without ever widening it.
 *
 * @throws ModelError `model/edit-impossible` when it demands what is gone.
 */
export function filterChoice(text: JsonText, body: Container<MemberSpan>, kept: KeptTools): FilteredChoice {
  const splices: Splice[] = [];
  const gone: string[] = [];
  for (const name of MEMBERS) {
    const value = memberAt(body, name)?.value;
    if (value === undefined) continue;
    if (!kept.left) gone.push(name);
    const word = wordOf(text, value);
    if (word !== undefined) {
      if (!kept.left && DEMANDS.has(word))
        throw impossible('its tool choice demands a call, and no tool is left');
    } else if (kindAt(text, value) === 'object') {
      splices.push(...filterNamed(text, objectAt(text, value.start), kept));
    }
  }
  return { splices: kept.left ? splices : [], gone };
}

/** A choice in one word: as text, or as Anthropic's object with nothing but a type. */
function wordOf(text: JsonText, value: Span): string | undefined {
  if (kindAt(text, value) !== 'object') return stringAt(text, value);
  const type = memberAt(objectAt(text, value.start), 'type')?.value;
  const word = type === undefined ? undefined : stringAt(text, type);
  return word !== undefined && WORDS.has(word) ? word : undefined;
}

function filterNamed(text: JsonText, choice: Container<MemberSpan>, kept: KeptTools): readonly Splice[] {
  const type = textMember(text, choice, 'type');
  if (type === 'allowed_tools') return filterAllowed(text, choice, kept);
  const isFunction = type === undefined || type === 'function' || type === 'tool';
  if (!kept.isKept(isFunction ? nameOf(text, choice) : undefined)) {
    throw impossible('its tool choice names a tool that is filtered out');
  }
  return [];
}

/** Chat holds the list in an object of its own, Responses holds it in the choice. */
function filterAllowed(text: JsonText, choice: Container<MemberSpan>, kept: KeptTools): readonly Splice[] {
  const nested = memberAt(choice, 'allowed_tools')?.value;
  const tools = memberAt(nested === undefined ? choice : objectAt(text, nested.start), 'tools')?.value;
  if (tools === undefined) throw impossible('its tool choice has another shape');
  const list = arrayAt(text, tools.start);
  const stays = list.entries.map((entry) => {
    const tool = objectAt(text, entry.start);
    return kept.isKept(textMember(text, tool, 'type') === 'function' ? nameOf(text, tool) : undefined);
  });
  if (!stays.includes(true)) throw impossible('its tool choice allows only tools that are filtered out');
  return removeEntries(list, (position) => stays[position] !== true);
}

/** The name in a `function` member, or beside the type. */
function nameOf(text: JsonText, tool: Container<MemberSpan>): string | undefined {
  const inner = memberAt(tool, 'function')?.value;
  return textMember(text, inner === undefined ? tool : objectAt(text, inner.start), 'name');
}

function textMember(text: JsonText, object: Container<MemberSpan>, name: string): string | undefined {
  const value = memberAt(object, name)?.value;
  return value === undefined ? undefined : stringAt(text, value);
}
