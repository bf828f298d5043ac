import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { JsonError, readJson } from '@toolgate/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PROTOCOLS, type Protocol } from '../call/protocol.ts';
import { codecOf } from '../codec/codecs.ts';
import { ModelError } from '../model-error.ts';
import { applyEdits, editBytes } from './apply-edits.ts';
import type { Edit } from './edit.ts';
import { createRequestReader } from './request-reader.ts';

const DESCRIPTION = 'Finds records of a collection. '.repeat(5);
const PARAMETERS = '{"type":"object","properties":{"q":{"type":"string"}}}';

const NAMES = ['a', 'b', 'c'];
const BODIES: Readonly<Record<Protocol, string>> = {
  'openai-chat': `{"model":"m", "messages":[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"a","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"ü"}],"tools":[${NAMES.map((name) => `{"type":"function","function":{"name":"${name}","description":"${DESCRIPTION}","parameters":${PARAMETERS}}}`).join(' , ')}] ,"tool_choice":"auto","x":1.0}`,
  'openai-responses': `{"input":"hi","tools":[${NAMES.map((name) => `{"type":"function","name":"${name}","description":"${DESCRIPTION}","parameters":${PARAMETERS},"strict":null}`).join(',')}],"model":"m"}`,
  anthropic: `{"model":"m","max_tokens":9,"system":"ü","messages":[{"role":"user","content":"hi"}],"tools":[${NAMES.map((name) => `{"name":"${name}","description":"${DESCRIPTION}","input_schema":${PARAMETERS}}`).join(',')}],"tool_choice":{"type":"auto"}}`,
  gemini: `{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"tools":[{"functionDeclarations":[${NAMES.map((name) => `{"name":"${name}","description":"${DESCRIPTION}","parametersJsonSchema":${PARAMETERS}}`).join(',')}]}]}`,
};
const TARGET = { model: 'm' };
const RULES = { maxBytes: 'none', maxDepth: 64, noncharacters: 'allow' } as const;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of the heap that are used when all garbage is gone. */
function usedAfterCollection(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

type Result = { readonly value: unknown; readonly losses: unknown } | { readonly error: unknown };

/** What a reader without a memory says. */
function general(protocol: Protocol, text: string): Result {
  return resultOf(() => codecOf(protocol).decodeRequest(readJson(text, RULES), TARGET));
}

function resultOf(read: () => { readonly value: unknown; readonly losses: unknown }): Result {
  try {
    const { losses, value } = read();
    return { value, losses };
  } catch (error) {
    if (ModelError.is(error)) return { error: [error.code, error.message, error.pointer] };
    if (JsonError.is(error)) return { error: error.code };
    throw error;
  }
}

describe.each(PROTOCOLS)('%s', (protocol) => {
  const body = BODIES[protocol];

  test('a body is read each time as the codec reads it, and its tools are the very same ones', () => {
    const reader = createRequestReader(protocol, { maxDepth: 64 });
    const first = reader.read(body, TARGET);
    const second = reader.read(` ${body.replace('hi', 'ü 😀')}`, TARGET);
    expect(resultOf(() => reader.read(body, TARGET) ?? expect.fail())).toEqual(general(protocol, body));
    expect(second?.value.tools).toBe(first?.value.tools);
    const ofBytes = resultOf(() => reader.read(Buffer.from(body), TARGET) ?? expect.fail());
    expect(ofBytes).toEqual(general(protocol, body));
    expect(reader.read(Buffer.from(body), TARGET)?.value.tools).toBe(first?.value.tools);
    expect(first?.value.tools?.map(({ name }) => name)).toEqual(NAMES);
  });

  const fixed = NAMES.map(
    (name): Edit =>
      Object.freeze({
        kind: 'filter-tools',
        keep: Object.freeze([name]),
        foreign: 'keep',
      }),
  );
  const edit = fc.oneof(
    fc.subarray(NAMES).map((keep): Edit => ({ kind: 'filter-tools', keep, foreign: 'keep' })),
    fc.constantFrom(...fixed),
    fc.constantFrom<Edit>(
      { kind: 'set-model', model: 'größe 😀' },
      { kind: 'prepend-instruction', role: 'developer', text: 'Sei kürzer: 値段 😀' },
      { kind: 'append-tool', tool: { kind: 'function', name: 'd', description: 'Łü😀' } },
    ),
    fc.constantFrom<Edit>(
      { kind: 'set-model', model: 'n' },
      { kind: 'set-stream', stream: true },
      { kind: 'request-usage' },
      { kind: 'prepend-instruction', role: 'system', text: 'Be brief.' },
      { kind: 'append-tool', tool: { kind: 'function', name: 'b', parameters: { type: 'object' } } },
    ),
  );

  test('edits give the same text with the outline as without it', () => {
    const reader = createRequestReader(protocol, { maxDepth: 64 });
    const texts = ['', ' ', '\n\n'].map((gap) => `${gap}${body.replace('"hi"', `"hi${gap.trim()}ü😀"`)}`);
    fc.assert(
      fc.property(fc.constantFrom(...texts, body), fc.array(edit, { maxLength: 4 }), (text, edits) => {
        const outline = reader.read(text, TARGET)?.outline;
        expect(outline).toBeDefined();
        expect(applyEdits(protocol, text, edits, outline)).toBe(applyEdits(protocol, text, edits));
      }),
    );
  });

  test('edits give the bytes of that text, with the outline of the bytes and without it', () => {
    const reader = createRequestReader(protocol, { maxDepth: 64 });
    const tools = body.replaceAll('Finds records', 'Sucht Einträge 😀');
    const texts = ['', ' ', '\n\n'].map((gap) => `${gap}${body.replace('"hi"', `"hi${gap.trim()}ü😀"`)}`);
    const other = createRequestReader(protocol, { maxDepth: 64 });
    fc.assert(
      fc.property(
        fc.constantFrom(...texts, body, tools, ` ${tools}`),
        fc.array(edit, { maxLength: 4 }),
        (text, edits) => {
          const bytes = Buffer.from(text);
          // The same reader for both: what it remembers of one has other places in the other.
          other.read(text, TARGET);
          const expected = applyEdits(protocol, text, edits, other.read(text, TARGET)?.outline);
          for (const known of [reader, other]) {
            const outline = known.read(bytes, TARGET)?.outline;
            expect(outline).toBeDefined();
            expect(Buffer.from(editBytes(protocol, bytes, edits, outline)).toString()).toBe(expected);
          }
          expect(Buffer.from(editBytes(protocol, bytes, edits)).toString()).toBe(expected);
        },
      ),
    );
  });

  test('whatever was done to a body, it is read or refused as the codec does', () => {
    const reader = createRequestReader(protocol, { maxDepth: 64 });
    reader.read(body, TARGET);
    const piece = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        'null',
        '1',
        'true',
        '""',
        '"role"',
        '"x":1,',
        'ü',
        '\\ud800',
      ],
    );
    fc.assert(
      fc.property(fc.nat(body.length), fc.nat(6), fc.array(piece, { maxLength: 2 }), (at, cut, pieces) => {
        const text = body.slice(0, at) + pieces.join('') + body.slice(at + cut);
        const expected = general(protocol, text);
        const found = resultOf(
          () => reader.read(text, TARGET) ?? codecOf(protocol).decodeRequest(readJson(text, RULES), TARGET),
        );
        expect(found).toEqual(expected);
        const bytes = Buffer.from(text);
        const ofBytes = resultOf(
          () => reader.read(bytes, TARGET) ?? codecOf(protocol).decodeRequest(readJson(bytes, RULES), TARGET),
        );
        expect(ofBytes).toEqual(general(protocol, bytes.toString()));
      }),
      { numRuns: 500 },
    );
  });
});

test('tools that are refused are refused each time', () => {
  const reader = createRequestReader('openai-chat', { maxDepth: 64 });
  const text = BODIES['openai-chat'].replace('"name":"c"', '"name":7');
  for (let again = 0; again < 3; again++) {
    expect(() => reader.read(text, TARGET)).toThrow(
      expect.objectContaining({ code: 'model/request-invalid', pointer: '/tools/2/function/name' }),
    );
  }
});

test('what is remembered of tools keeps nothing of the bodies that they came in', () => {
  const reader = createRequestReader('anthropic', { maxDepth: 64 });
  const read = (index: number): void => {
    const names = ['first', 'second'].map((name) => `${name}_tool_of_request_${index}`);
    const tools = names.map((name) => ({ name, description: DESCRIPTION, input_schema: { type: 'object' } }));
    const messages = [{ role: 'user', content: 'x'.repeat(1_000_000) }];
    // Out of bytes, as bodies come: a text that is put together is no long one yet.
    const text = Buffer.from(JSON.stringify({ model: 'm', max_tokens: 9, messages, tools })).toString();
    const edits: readonly Edit[] = [{ kind: 'filter-tools', keep: names.slice(1), foreign: 'keep' }];
    const edited = applyEdits('anthropic', text, edits, reader.read(text)?.outline);
    expect(edited).toBe(applyEdits('anthropic', text, edits));
    const bytes = Buffer.from(text.replaceAll('_of_request', '_in_request'));
    editBytes('anthropic', bytes, edits, reader.read(bytes)?.outline);
  };
  const before = usedAfterCollection();
  for (let index = 0; index < 30; index++) read(index);
  expect(usedAfterCollection() - before).toBeLessThan(8_000_000);
  expect(reader.read(BODIES.anthropic)).toBeDefined();
});

test('a name that begins with a byte order mark is not the name without it', () => {
  const reader = createRequestReader('anthropic', { maxDepth: 64 });
  const text = BODIES.anthropic.replace('"name":"c"', '"name":"\uFEFFa"');
  const edits: readonly Edit[] = [{ kind: 'filter-tools', keep: ['a'], foreign: 'keep' }];
  for (let again = 0; again < 2; again++) {
    const edited = applyEdits('anthropic', text, edits, reader.read(text)?.outline);
    expect(edited).toBe(applyEdits('anthropic', text, edits));
    expect(edited).not.toContain('\uFEFFa');
  }
});
