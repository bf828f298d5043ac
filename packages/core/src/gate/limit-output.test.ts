import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8Bytes } from '../internal/utf8-bytes.ts';
import { emptyOutput, jsonOutput, structuredOutput, textOutput, toolOutput } from '../tool/make-output.ts';
import type { OutputPart } from '../tool/tool-output.ts';
import { isWithin, limitOutput } from './limit-output.ts';

const limits = (textBytes: number, mediaBytes = 1_000) => ({ textBytes, mediaBytes });
const image = (bytes: number): OutputPart => ({
  kind: 'image',
  mediaType: 'image/png',
  data: 'iVBORw0KGgoA'.padEnd(bytes, 'A'),
});

describe('an output is within its limits', () => {
  test.each([
    [textOutput('aaaa'), 4, true],
    [textOutput('aaaa'), 3, false],
    [textOutput('€€'), 6, true],
    [textOutput('€€'), 5, false],
    [jsonOutput({ a: 1 }), 7, true],
    [jsonOutput({ a: 1 }), 6, false],
    [structuredOutput({ a: 1 }), 7, true],
    [emptyOutput(), 0, true],
    [
      toolOutput({
        parts: [
          { kind: 'text', text: 'aa' },
          { kind: 'json', value: [1] },
        ],
      }),
      5,
      true,
    ],
    [
      toolOutput({
        parts: [
          { kind: 'text', text: 'aa' },
          { kind: 'json', value: [1] },
        ],
      }),
      4,
      false,
    ],
    [toolOutput({ parts: [], structured: { a: 'b'.repeat(20) } }), 20, false],
    [toolOutput({ parts: [{ kind: 'resource-link', uri: 'x:yz', name: 'n' }] }), 5, true],
    [toolOutput({ parts: [{ kind: 'resource-link', uri: 'x:yz', name: 'n' }] }), 4, false],
  ])('%# of %j in %d bytes: %j', (output, bytes, within) => {
    expect(isWithin(output, limits(bytes))).toBe(within);
  });

  test('media have a limit of their own', () => {
    const output = toolOutput({ parts: [image(600), image(400)] });
    expect(isWithin(output, limits(0, 1_000))).toBe(true);
    expect(isWithin(output, limits(1_000_000, 999))).toBe(false);
  });

  test('a thousand parts are, one more is not, however small they are', () => {
    const parts = (count: number) =>
      toolOutput({ parts: new Array<OutputPart>(count).fill({ kind: 'text', text: '' }) });
    expect(isWithin(parts(1_000), limits(1_000))).toBe(true);
    expect(isWithin(parts(1_001), limits(1_000))).toBe(false);
    const limited = limitOutput(parts(5_000), limits(1_000));
    expect(limited.parts.length).toBe(1_001);
    expect(limited.parts.at(-1)).toEqual({ kind: 'text', text: '[4000 more parts left out.]' });
  });
});

describe('a limited output', () => {
  test('keeps short parts whole and cuts the long ones', () => {
    const output = toolOutput({
      parts: [
        { kind: 'text', text: 'short' },
        { kind: 'text', text: 'x'.repeat(90_000) },
        { kind: 'json', value: ['y'.repeat(5_000)] },
      ],
      structured: { all: 'z'.repeat(90_000) },
    });
    const limited = limitOutput(output, limits(2_005));
    expect(limited.parts.map(({ kind }) => kind)).toEqual(['text', 'text', 'text']);
    expect(limited.parts[0]).toEqual({ kind: 'text', text: 'short' });
    expect(limited.text()).toContain('of 90000 bytes left out');
    expect(limited.text()).toContain('of 5004 bytes left out');
    expect(limited.structured).toBeUndefined();
    expect(limited.byteSize).toBeLessThanOrEqual(2_005);
  });

  test('keeps media whole or names what is missing', () => {
    const output = toolOutput({
      parts: [
        image(800),
        { kind: 'file', mediaType: 'application/pdf', name: 'report.pdf', data: 'A'.repeat(4_000) },
        image(200),
        { kind: 'audio', mediaType: 'audio/wav', data: 'AAAA' },
      ],
    });
    expect(limitOutput(output, limits(1_000)).parts).toEqual([
      image(800),
      { kind: 'text', text: '[file application/pdf report.pdf of 4000 bytes left out]' },
      image(200),
      { kind: 'text', text: '[audio audio/wav of 4 bytes left out]' },
    ]);
  });

  test('cuts the text of a file, and leaves out addresses that are too long', () => {
    const output = toolOutput({
      parts: [
        { kind: 'file', mediaType: 'text/plain', text: 'x'.repeat(4_000) },
        { kind: 'resource-link', uri: `x:${'y'.repeat(4_000)}` },
      ],
    });
    const limited = limitOutput(output, limits(400));
    expect(limited.text()).toMatch(
      /^x+\n\[\.\.\. \d+ of 4000 bytes left out \.\.\.\]\nx+\n\[resource left out/,
    );
  });

  test('ends with the note it is given, within the limit', () => {
    const limited = limitOutput(textOutput('x'.repeat(10_000)), limits(500), 'kept as h1');
    expect(limited.parts.at(-1)).toEqual({ kind: 'text', text: 'kept as h1' });
    expect(limited.byteSize).toBeLessThanOrEqual(500);
  });

  test('fits whatever the parts are', () => {
    const part: fc.Arbitrary<OutputPart> = fc.oneof(
      fc
        .string({ maxLength: 4_000, unit: fc.constantFrom('a', '€') })
        .map((text) => ({ kind: 'text', text }) as const),
      fc.jsonValue({ maxDepth: 2 }).map((value) => ({ kind: 'json', value: value as string }) as const),
      fc.nat({ max: 800 }).map((bytes) => image(bytes * 4)),
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 6 }),
        fc.integer({ min: 1_000, max: 9_000 }),
        (parts, bytes) => {
          const within = limits(bytes, 2_000);
          const output = toolOutput({ parts });
          const limited = isWithin(output, within) ? output : limitOutput(output, within);
          const media = limited.parts.reduce(
            (sum, each) => sum + ('data' in each ? (each.data?.length ?? 0) : 0),
            0,
          );
          expect(media).toBeLessThanOrEqual(2_000);
          expect(limited.byteSize - media).toBeLessThanOrEqual(bytes);
          expect(utf8Bytes(limited.text())).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
