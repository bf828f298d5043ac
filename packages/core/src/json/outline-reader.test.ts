import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonError } from './json-error.ts';
import { createOutlineReader, type OutlinedJson, type OutlineReader } from './outline-reader.ts';
import { readJson } from './read-json.ts';

const RULES = { maxBytes: 'none', maxDepth: 8 } as const;
const REMEMBER = { ...RULES, remember: ['tools', 'more'] } as const;
const LONG = `[${Array.from({ length: 40 }, (_, index) => `{"name":"tool ${index}"}`).join(', ')}]`;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of the heap that are used when all garbage is gone. */
function usedAfterCollection(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** What the general reader says: a value, or `undefined` where it refuses. */
function general(text: string): unknown {
  try {
    return readJson(text, RULES);
  } catch (error) {
    expect(JsonError.is(error)).toBe(true);
    return undefined;
  }
}

/** A text in which each unit stands for one byte of UTF-8, as offsets in bytes count. */
function byteText(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** The text of some units that stand for bytes. */
function fromByteText(text: string): string {
  return Buffer.from(text, 'latin1').toString();
}

/**
 * An outline is right when it says nothing that the general reader does not say, and its places hold the members; of a text
 * and of its bytes.
 */
function expectRight(text: string, read: OutlinedJson | undefined): void {
  expectPlaces(text, general(text), read, (piece) => piece);
}

function expectBytesRight(text: string, read: OutlinedJson | undefined): void {
  expectPlaces(byteText(text), general(text), read, fromByteText);
}

function expectPlaces(
  text: string,
  value: unknown,
  read: OutlinedJson | undefined,
  decode: (piece: string) => string,
): void {
  if (read === undefined) return;
  expect(JSON.stringify(read.value)).toBe(JSON.stringify(value));
  expect(JSON.parse(decode(text.slice(read.start, read.end)))).toEqual(value);
  // Names that are numbers come first in a value, whatever the order of the text.
  const names = read.members.map(({ name }) => name);
  expect(names.toSorted()).toEqual(Object.keys(read.value).toSorted());
  for (const { name, start, value: place } of read.members) {
    expect(text.startsWith(`"${name}"`, start)).toBe(true);
    expect(JSON.stringify(JSON.parse(decode(text.slice(place.start, place.end))))).toBe(
      JSON.stringify(read.value[name]),
    );
  }
}

function expectBothRight(text: string, reader: OutlineReader): void {
  expectRight(text, createOutlineReader(RULES).read(text));
  expectRight(text, reader.read(text));
  expectRight(text, reader.read(text));
  expectBytesRight(text, createOutlineReader(RULES).read(Buffer.from(text)));
  expectBytesRight(text, reader.read(Buffer.from(text)));
}

test.each([
  ['nothing', '{}'],
  ['spaces', ' \n{ \t}\r '],
  ['members of all kinds', '{"a":1,"b":-2.5e3,"c":"x","d":true,"e":null,"f":[1,{"g":[]}],"h":{}}'],
  ['spaces everywhere', ' { "a" : 1 , "b" : [ 1 , 2 ] , "c" : "x" } '],
  ['text beyond ASCII', '{"a":"größe 値段 😀","tools":[1],"b":"é","c":{"ü":"😀"}}'],
  ['escapes in values', '{"a":"\\"\\\\\\u00e9}","b":"]"}'],
  ['the end of a name in a value', '{"a":"\\",\\"b\\":1","b":2}'],
  ['eight levels', '{"a":[[[[[[[1]]]]]]]}'],
  ['names of numbers', '{"b":1,"2":2,"1":3}'],
  ['long values to remember', `{"x":1,"tools":${LONG},"y":"é","more":${LONG}}`],
])('%s: is read, with the places of its members', (_, text) => {
  for (const reader of [createOutlineReader(RULES), createOutlineReader(REMEMBER)]) {
    for (let again = 0; again < 3; again++) {
      const read = reader.read(text);
      expect(read).toBeDefined();
      expectRight(text, read);
      const ofBytes = reader.read(Buffer.from(text));
      expect(ofBytes).toBeDefined();
      expectBytesRight(text, ofBytes);
    }
  }
});

test.each([
  ['no object', '[1]'],
  ['a scalar', '1'],
  ['nothing', ''],
  ['an open object', '{"a":1'],
  ['an open value', '{"a":[1'],
  ['an open text', '{"a":"b'],
  ['an open name', '{"a'],
  ['a name without a value', '{"a"}'],
  ['a name without a colon', '{"a" 1}'],
  ['a comma too many', '{"a":1,}'],
  ['a missing comma', '{"a":1 "b":2}'],
  ['something behind it', '{"a":1}x'],
  ['a second object', '{"a":1}{"b":2}'],
  ['a name twice', '{"a":1,"a":2}'],
  ['a name twice inside', '{"a":{"b":1,"b":2}}'],
  ['an escaped name', '{"\\u0061":1}'],
  ['a name beyond ASCII', '{"ü":1}'],
  ['a name that begins a prototype', '{"__proto__":1}'],
  ['the way to a prototype', '{"constructor":{"prototype":1}}'],
  ['half of a pair', '{"a":"\\ud800"}'],
  ['an inexact integer', '{"a":9007199254740993}'],
  ['no number', '{"a":01}'],
  ['a word that is none', '{"a":trux}'],
  ['nine levels', '{"a":[[[[[[[[1]]]]]]]]}'],
  ['brackets that do not fit', '{"a":[1}'],
  ['a control character', '{"a":1,\u0000"b":2}'],
  ['too many members', `{${Array.from({ length: 65 }, (_, index) => `"n${index}":0`).join(',')}}`],
])('%s: is left to the general reader', (_, text) => {
  expect(createOutlineReader(REMEMBER).read(text)).toBeUndefined();
  expect(createOutlineReader(REMEMBER).read(Buffer.from(text))).toBeUndefined();
});

test.each([
  ['half of a pair in three bytes', [0xed, 0xa0, 0x80]],
  ['a byte that follows nothing', [0x80]],
  ['a sequence that breaks off', [0xf0, 0x9f]],
  ['a longer form of a character', [0xc1, 0xa1]],
  ['a byte that never is in UTF-8', [0xff]],
  ['a byte order mark before it', undefined],
])('%s: bytes are left to the general reader', (_, odd) => {
  const reader = createOutlineReader(REMEMBER);
  expect(reader.read(`{"tools":${LONG}}`)).toBeDefined();
  const bytes =
    odd === undefined
      ? Buffer.from(`\uFEFF{"tools":${LONG}}`)
      : Buffer.concat([Buffer.from('{"a":"'), Buffer.from(odd), Buffer.from(`","tools":${LONG}}`)]);
  expect(reader.read(bytes)).toBeUndefined();
});

test('bytes of a larger memory are read as if they were alone', () => {
  const text = `{"a":"ü","tools":${LONG}}`;
  const around = Buffer.from(`x"${text}"}`);
  const reader = createOutlineReader(REMEMBER);
  for (let again = 0; again < 2; again++) {
    const read = reader.read(around.subarray(2, around.length - 2));
    expect(read).toBeDefined();
    expectBytesRight(text, read);
  }
});

test('what an earlier text left behind the end of a cut one is not looked at', () => {
  const reader = createOutlineReader(RULES);
  // Longer in bytes than the buffer it is first tried in, so that it leaves no quote there.
  expect(reader.read(`123456789:"${'é'.repeat(40_000)}`)).toBeUndefined();
  expect(reader.read('{"a":1,')).toBeUndefined();
});

describe('a value that comes again', () => {
  test('is the same value, deeply frozen', () => {
    const reader = createOutlineReader(REMEMBER);
    const first = reader.read(`{"tools":${LONG}}`)?.value['tools'];
    const second = reader.read(`{"x":"ü","tools" : ${LONG} ,"y":[]}`)?.value['tools'];
    expect(second).toBe(first);
    expect(reader.read(Buffer.from(`{"x":"ü","tools": ${LONG}}`))?.value['tools']).toBe(first);
    expect(Object.isFrozen(second)).toBe(true);
    expect(Object.isFrozen((second as readonly unknown[])[0])).toBe(true);
  });

  test('is read anew under another name, and where one character differs', () => {
    const reader = createOutlineReader(REMEMBER);
    const first = reader.read(`{"tools":${LONG}}`)?.value['tools'];
    expect(reader.read(`{"more":${LONG}}`)?.value['more']).not.toBe(first);
    const changed = LONG.replace('tool 39', 'tool 3X');
    expect(reader.read(`{"tools":${changed}}`)?.value['tools']).toEqual(JSON.parse(changed));
    expect(reader.read(`{"tools":${LONG}}`)?.value['tools']).toBe(first);
  });

  test('is not taken for a longer one that begins with it', () => {
    const reader = createOutlineReader(REMEMBER);
    reader.read(`{"tools":${LONG}}`);
    for (const text of [`{"tools":${LONG}]}`, `{"tools":${LONG}1}`, `{"tools":${LONG}`]) {
      expect(reader.read(text)).toBeUndefined();
    }
  });

  test('is not remembered where it was refused', () => {
    const reader = createOutlineReader(REMEMBER);
    const twice = LONG.replace('{"name":"tool 39"}', '{"name":"a","name":"b"}');
    for (let again = 0; again < 2; again++) expect(reader.read(`{"tools":${twice}}`)).toBeUndefined();
    const broken = `[${LONG.slice(1, -1)},]`;
    for (let again = 0; again < 2; again++) expect(reader.read(`{"tools":${broken}}`)).toBeUndefined();
  });

  test('goes when newer ones need its room', () => {
    const reader = createOutlineReader({ ...REMEMBER, maxRemembered: 8_000 });
    const texts = Array.from({ length: 12 }, (_, index) =>
      LONG.replace('tool 0', `tool ${'0'.repeat(index)}`),
    );
    const [first = ''] = texts;
    const before = texts.map((text) => reader.read(`{"tools":${text}}`)?.value['tools']);
    expect(reader.read(`{"tools":${texts.at(-1)}}`)?.value['tools']).toBe(before.at(-1));
    expect(reader.read(`{"tools":${first}}`)?.value['tools']).not.toBe(before[0]);
  });

  test('keeps nothing of the text around it', () => {
    const reader = createOutlineReader(REMEMBER);
    const around = 'x'.repeat(1_000_000);
    const read = (index: number): void => {
      const tools = LONG.replace('tool 0', `tool ${index}`);
      // Out of bytes, as bodies come: a text that is put together is no long one yet.
      const text = Buffer.from(`{"around":"${around}","tools":${tools}}`).toString();
      expect(reader.read(text)?.value['tools']).toEqual(JSON.parse(tools));
      const bytes = Buffer.from(text.replace('tool 1', `tool ${index}`));
      expect(reader.read(bytes)?.value['tools']).toBeDefined();
    };
    const before = usedAfterCollection();
    for (let index = 0; index < 40; index++) read(index);
    expect(usedAfterCollection() - before).toBeLessThan(8_000_000);
    expect(reader.read(`{"tools":${LONG}}`)).toBeDefined();
  });

  test('is one of a few that begin alike', () => {
    const reader = createOutlineReader(REMEMBER);
    const texts = Array.from({ length: 8 }, (_, index) => LONG.replace('tool 39', `tool ${index}`));
    const before = texts.map((text) => reader.read(`{"tools":${text}}`)?.value['tools']);
    for (const [index, text] of texts.entries()) {
      expect(reader.read(`{"tools":${text}}`)?.value['tools']).toBe(before[index]);
    }
  });
});

describe('properties', () => {
  const RUNS = { numRuns: 1_000 };
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
      ' ',
      '\n',
      '\u0000',
      '-',
      '1',
      '.5',
      'e9',
      'true',
      'nul',
      'ü',
      '😀',
    ],
    ...[
      '"tools":',
      '"a":',
      '"a"',
      '"\\ud83d',
      '\\ude00"',
      '\ufffd',
      '"__proto__":',
      LONG,
      '9007199254740993',
    ],
  );

  test('an object of any values is read as the general reader reads it', () => {
    const name = fc.constantFrom('tools', 'a', 'b', 'more', 'ü', 'long name', '1');
    const reader = createOutlineReader(REMEMBER);
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue({ maxDepth: 4 })), fc.nat(3), (object, indent) => {
        expectBothRight(JSON.stringify(object, null, indent), reader);
      }),
      RUNS,
    );
  });

  test('whatever was done to a text, nothing is read that the general reader refuses', () => {
    const text = `{"a":[1,{"b":"c\\n"}],"tools":${LONG},"c":"größe 😀","more":{"d":-1.5}}`;
    const reader = createOutlineReader(REMEMBER);
    reader.read(text);
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(3), fc.array(piece, { maxLength: 3 }), (at, cut, pieces) => {
        expectBothRight(text.slice(0, at) + pieces.join('') + text.slice(at + cut), reader);
      }),
      RUNS,
    );
  });

  test('whatever bytes are put into a text, nothing is read that the general reader refuses', () => {
    const bytes = Buffer.from(`{"a":[1,{"b":"c"}],"tools":${LONG},"c":"größe 😀"}`);
    const reader = createOutlineReader(REMEMBER);
    reader.read(bytes);
    fc.assert(
      fc.property(fc.nat(bytes.length), fc.nat(3), fc.uint8Array({ maxLength: 4 }), (at, cut, put) => {
        const changed = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)]);
        const read = reader.read(changed);
        if (read !== undefined) expect(read.value).toEqual(readJson(changed, RULES));
      }),
      RUNS,
    );
  });

  test('of any pieces, nothing is read that the general reader refuses', () => {
    const reader = createOutlineReader(REMEMBER);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        expectBothRight(`{${pieces.join('')}}`, reader);
      }),
      RUNS,
    );
  });
});
