import type { RequestTarget } from '../codec/codec.ts';
import { ModelError } from '../model-error.ts';

const METHODS: ReadonlySet<string> = new Set(['generateContent', 'streamGenerateContent']);
/** Where the name begins that a path gives to a model. */
const FOLDER = /(?:^|\/)(?=(?:models|tunedModels|endpoints)\/[^/])/;

/**
 * What the path of a request says, with or without a prefix such as `/v1beta`. Streaming is only said when asked for.
 *
 * @returns `undefined` for a path that is none of the two methods.
 */
export function readGeminiPath(path: string): RequestTarget | undefined {
  const [address = ''] = path.split(/[?#]/, 1);
  // Names of models may hold colons, as those of Ollama do; the method stands behind the last one.
  const colon = address.lastIndexOf(':');
  const method = address.slice(colon + 1);
  const resource = address.slice(0, Math.max(colon, 0));
  const folder = FOLDER.exec(resource);
  const named =
    folder === null
      ? resource.slice(resource.lastIndexOf('/') + 1)
      : resource.slice(folder.index + folder[0].length);
  if (named === '' || !METHODS.has(method)) return undefined;
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
  return Object.freeze({ model, ...(method === 'streamGenerateContent' ? { stream: true } : {}) });
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
