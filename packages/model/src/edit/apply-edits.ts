import type { Protocol } from '../call/protocol.ts';
import { spliceBytes, toByteSplices, toByteText } from './byte-text.ts';
import type { Edit } from './edit.ts';
import { editText } from './edit-text.ts';
import { impossible } from './json-spans.ts';
import type { RequestOutline } from './request-outline.ts';
import { applySplices, type Splice } from './splice.ts';

const TEXT = { toUnits: (splices: readonly Splice[]): readonly Splice[] => splices, splice: applySplices };
const BYTES = { toUnits: toByteSplices, splice: spliceBytes };

/**
 * Makes edits on a request as its client wrote it: unknown members, the order of members, white space and the spelling
 * of numbers stay as they are, and without edits the text comes back unchanged.
 *
 * @param original - The body; it must be one that `readJson` took, because only its outline is looked at here.
 * @param edits - Made one after the other.
 * @param outline - What {@link createRequestReader} said about this very text, which need not be looked through then.
 * @returns The edited text; `original` decoded, when it was bytes.
 * @throws ModelError `model/edit-impossible` when an edit would have to touch more than it may, for example a tool
 *   choice that demands a tool that is filtered out.
 */
export function applyEdits(
  protocol: Protocol,
  original: string | Uint8Array,
  edits: readonly Edit[],
  outline?: RequestOutline,
): string {
  return editText(protocol, typeof original === 'string' ? original : decode(original), edits, TEXT, outline);
}

/**
 * What {@link applyEdits} does, from bytes to bytes: what stays is copied and never made a text.
 *
 * @param original - The UTF-8 of a body that `readJson` took.
 * @param outline - What {@link createRequestReader} said about these very bytes.
 * @returns The edited bytes; `original` itself, where nothing changes.
 * @throws ModelError `model/edit-impossible` as {@link applyEdits} does.
 */
export function editBytes(
  protocol: Protocol,
  original: Uint8Array,
  edits: readonly Edit[],
  outline?: RequestOutline,
): Uint8Array {
  // Whoever has an outline has read the bytes.
  if (outline === undefined) decode(original);
  return editText(protocol, toByteText(original), edits, BYTES, outline).bytes;
}

function decode(bytes: Uint8Array): string {
  try {
    // A byte order mark stays, and is then no JSON.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw impossible('it is not UTF-8');
  }
}
