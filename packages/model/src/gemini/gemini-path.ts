import type { RequestTarget } from '../codec/codec.ts';
import { ModelError } from '../model-error.ts';

const PATH =
  /(?:^|\/)((?:models|tunedModels|endpoints)\/[^:?#]+|[^:?#/]+):(generateContent|streamGenerateContent)(?:[?#]|$)/;

/**
 * What the path of a request says, with or without a prefix such as `/v1beta`. Streaming is only said when asked for.
 *
 * @returns `undefined` for a path that is none of the two methods.
 */
export function readGeminiPath(path: string): RequestTarget | undefined {
  const found = PATH.exec(path);
  const named = found?.[1];
  if (named === undefined) return undefined;
  let model: string;
  try {
    model = named
      .replace(/^models\//, '')
      .split('/')
      .map(decodeURIComponent)
      .join('/');
  } catch {
    return undefined;
  }
  return Object.freeze({ model, ...(found?.[2] === 'streamGenerateContent' ? { stream: true } : {}) });
}

/**
 * The path of a request, relative to the base URL with its version.
 *
 * @throws ModelError `model/not-encodable` for a model name that would lead elsewhere.
 */
export function writeGeminiPath(model: string, stream: boolean): string {
  const segments = model.split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw new ModelError('model/not-encodable', 'The model name cannot stand in a path.', {
      pointer: '/model',
    });
  }
  const hasFolder = ['models', 'tunedModels', 'endpoints', 'projects', 'publishers'].includes(
    segments[0] ?? '',
  );
  const resource = `${hasFolder ? '' : 'models/'}${segments.map(encodeURIComponent).join('/')}`;
  return stream ? `${resource}:streamGenerateContent?alt=sse` : `${resource}:generateContent`;
}
