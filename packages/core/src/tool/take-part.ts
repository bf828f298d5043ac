import { decodeOutput, encodeResult } from './encode-output.ts';
import { PartReader } from './part-reader.ts';
import { pictureType } from './picture-type.ts';
import type { OutputPart } from './tool-output.ts';

/** One part that was checked, copied and frozen. */
export interface TakenPart {
  readonly part: OutputPart;
  /** As the part stands in the text of the whole output. */
  readonly text: string;
  /** Halves of surrogate pairs that were replaced in it. */
  readonly mended: number;
}

/**
 * Checks and copies one part of a result. Members that are not known are left out.
 *
 * @param pointer - Where the part is, for errors.
 * @throws {@link ContractError} `tool/output-invalid`
 */
export function takePart(raw: unknown, pointer: string): TakenPart {
  const read = new PartReader(raw, pointer);
  const kind = read.field('kind');
  switch (kind) {
    case 'text': {
      const text = read.text();
      return { part: Object.freeze({ kind, text }), text, mended: read.mended };
    }
    case 'json': {
      const { text, mended } = encodeResult(read.field('value'), `${pointer}/value`);
      return { part: Object.freeze({ kind, value: decodeOutput(text) }), text, mended };
    }
    case 'image':
    case 'audio':
      return takeMedia(kind, read);
    case 'file':
      return takeFile(read);
    case 'resource-link':
      return takeLink(read);
    default:
      throw read.invalid('kind', 'has to be text, json, image, audio, file or resource-link');
  }
}

/** Without bytes, or with bytes of something else, it would be refused by providers for as long as it is in the history. */
function takeMedia(kind: 'image' | 'audio', read: PartReader): TakenPart {
  const declared = read.mediaType();
  const data = read.base64();
  if (data === '') throw read.invalid('data', 'is empty');
  const mediaType = kind === 'audio' ? declared : pictureType(declared, data);
  if (mediaType === undefined) throw read.invalid('data', 'is no picture of its mediaType');
  return { part: Object.freeze({ kind, mediaType, data }), text: `[${kind} ${mediaType}]`, mended: 0 };
}

function takeFile(read: PartReader): TakenPart {
  const mediaType = read.mediaType();
  const labels = { ...read.label('name'), ...read.label('uri') };
  if (read.has('text') === read.has('data'))
    throw read.invalid('text', 'or its data has to be given, not both');
  if (read.has('text')) {
    const text = read.text();
    return {
      part: Object.freeze({ kind: 'file', mediaType, ...labels, text }),
      text,
      mended: read.mended,
    };
  }
  const part: OutputPart = Object.freeze({ kind: 'file', mediaType, ...labels, data: read.base64() });
  return {
    part,
    text: labels.name === undefined ? `[file ${mediaType}]` : `[file ${labels.name} ${mediaType}]`,
    mended: read.mended,
  };
}

function takeLink(read: PartReader): TakenPart {
  const { uri } = read.label('uri');
  if (uri === undefined || uri === '') throw read.invalid('uri', 'is missing');
  const labels = { ...read.label('name'), ...read.label('description') };
  const mediaType = read.has('mediaType') ? { mediaType: read.mediaType() } : {};
  const part: OutputPart = Object.freeze({ kind: 'resource-link', uri, ...labels, ...mediaType });
  return {
    part,
    text: labels.name === undefined ? `[resource ${uri}]` : `[resource ${labels.name} ${uri}]`,
    mended: read.mended,
  };
}
