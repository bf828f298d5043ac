import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { approvers } from '../behaviour/approvers.ts';
import { authorThrows } from '../behaviour/author-throws.ts';
import { authorizers } from '../behaviour/authorizers.ts';
import { availabilities } from '../behaviour/availabilities.ts';
import { definitionShapes } from '../behaviour/definition-shapes.ts';
import { edits } from '../behaviour/edits.ts';
import { handlerOf, handlerWords } from '../behaviour/handlers.ts';
import { validators } from '../behaviour/validators.ts';
import { createFakeClock } from '../clock/fake-clock.ts';
import { HOSTILE_RESULTS } from '../handler/hostile-results.ts';
import { HOSTILE_THROWS } from '../handler/hostile-throws.ts';
import { CAPABILITIES } from './capability.ts';
import { type CorpusCase, corpusGroups } from './corpus-case.ts';
import { neededCapabilities } from './needed-capabilities.ts';
import { readCorpus } from './read-corpus.ts';
import { textOf } from './text-spec.ts';

const cases = readCorpus();
const tools = cases.flatMap((item) => item.tools);
const given = (ids: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(ids.filter((id) => id !== undefined)),
];

describe('the corpus', () => {
  test('has cases in every group, and no id twice', () => {
    for (const group of corpusGroups) {
      const own = cases.filter((item) => item.group === group);
      expect(own.length).toBeGreaterThan(30);
      expect(own.filter(({ id }) => !id.startsWith(`${group}/`))).toEqual([]);
    }
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  });

  test('says something different about every case', () => {
    const said = cases.map(({ title, calls, tools: own }) => JSON.stringify([title, calls, own]));
    expect(new Set(said).size).toBe(cases.length);
  });

  test('is written in printable ASCII, so that a reader sees every character', () => {
    for (const group of corpusGroups) {
      const text = readFileSync(new URL(`../../corpus/${group}.jsonl`, import.meta.url), 'utf8');
      expect(/[^\x20-\x7e\n]/.exec(text)?.index).toBe(undefined);
    }
  });

  test.each([
    ['handler', handlerWords, tools.map(({ handler }) => handler?.split(':')[0])],
    ['approver', [...approvers.keys()], cases.map(({ policy }) => policy?.approver)],
    ['authorizer', [...authorizers.keys()], tools.map(({ authorize }) => authorize)],
    ['availability', [...availabilities.keys()], tools.map(({ available }) => available)],
    ['validator', [...validators.keys()], tools.map(({ validate }) => validate)],
    ['definition shape', [...definitionShapes.keys()], tools.map(({ shape }) => shape)],
    ['edit', [...edits.keys()], cases.map(({ edit }) => edit)],
    ['capability', Object.keys(CAPABILITIES), cases.flatMap(neededCapabilities)],
  ])('uses every %s there is, and no other', (_kind, all, used) => {
    const implied = all.includes('echo') ? ['echo'] : [];
    expect([...new Set([...given(used), ...implied])].toSorted()).toEqual(all.toSorted());
  });

  test('names hostile values, and texts of authors, that exist, and all of them', () => {
    const parameters = (...words: readonly string[]): readonly string[] =>
      given(tools.map(({ handler }) => handler))
        .filter((handler) => words.includes(handler.split(':')[0] ?? ''))
        .map((handler) => handler.slice(handler.indexOf(':') + 1));
    const thrown = [...HOSTILE_THROWS.map(({ id }) => id), ...authorThrows.keys()];
    expect(new Set(parameters('throw', 'reject'))).toEqual(new Set(thrown));
    expect(new Set(parameters('return', 'resolve'))).toEqual(new Set(HOSTILE_RESULTS.map(({ id }) => id)));
  });

  test('an unknown handler is an error, not a harmless tool', () => {
    const stage = { clock: createFakeClock(), released: Promise.resolve(), cancel: () => {} };
    expect(() => handlerOf('ehco', stage)).toThrow(RangeError);
    expect(() => handlerOf('reject:nothing', stage)).toThrow(RangeError);
  });

  test('every case expects something of a call or of a definition', () => {
    const idle = cases.filter((item) => item.calls.length === 0 && item.definition !== 'refused');
    expect(idle.map(({ id }) => id)).toEqual([]);
    const both = cases.filter((item) => item.calls.length > 0 && item.definition === 'refused');
    expect(both.map(({ id }) => id)).toEqual([]);
  });

  test('a secret that must not be seen is in the case, or is thrown or returned by its behaviours', () => {
    const hidden = [
      'hunter2',
      'sk-live-51Hx0secret',
      '10.0.0.5',
      'ECONNREFUSED',
      'Never said.',
      'middle',
      'postgres.ts',
    ];
    const plain = ({ tools: own, policy, calls }: CorpusCase): string =>
      JSON.stringify([own, policy, calls.map(({ name, arguments: text }) => [name, text])]);
    const unfounded = cases.filter((item) =>
      item.calls.some(({ expect: due, name, arguments: text }) =>
        (due.modelMustNotSee ?? []).map(textOf).some((secret) => {
          const written = [plain(item), textOf(name), textOf(text), unescaped(textOf(text))].join('\n');
          return (
            !written.includes(secret) && !hidden.some((part) => secret.includes(part)) && secret.length > 1
          );
        }),
      ),
    );
    expect(unfounded.map(({ id }) => id)).toEqual([]);
  });

  test.each([
    ['an ambiguous text runs', ['arguments/duplicate-amount', 'policies/authorized-duplicate']],
    [
      'an edited schema is offered and obeyed',
      ['schemas/edited-maximum', 'schemas/edited-required', 'schemas/edited-description'],
    ],
    ['half a call of a cut-off turn runs', ['arguments/incomplete-whole-text', 'turns/cut-off']],
    [
      'the text of an exception reaches the model',
      ['handlers/throws-error-message', 'handlers/throws-error-cause'],
    ],
    ['five megabytes go to the model', ['results/huge-text', 'results/huge-json']],
    [
      'a hidden tool runs when its name is guessed',
      ['policies/scope-guessed', 'policies/scope-before-arguments'],
    ],
    ['a policy changes what runs', ['policies/authorizer-tampers', 'policies/approver-tampers']],
  ])('holds what was measured in the field: %s', (_claim, ids) => {
    expect(cases.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  });
});

/** The text with its simple escapes read, to find what a JSON text says. */
function unescaped(text: string): string {
  return text
    .replaceAll('\\n', '\n')
    .replace(/\\u([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
