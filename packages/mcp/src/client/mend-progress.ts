import { isObject, type Loose } from '../value-shape.ts';

/** How reports of progress are told. */
export const PROGRESS = 'notifications/progress';
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/**
 * A report of progress as the SDK's schemas take it, which drop all of it for one member: numbers that are written as texts
 * are numbers, and what is no total and no message is left out. That there is progress is what keeps a call alive.
 *
 * @returns The same object where nothing had to be changed.
 */
export function mendProgress(params: Loose): Loose {
  const { progress, total, message, ...rest } = params;
  const mended = {
    ...rest,
    ...(progress === undefined ? {} : { progress: toNumber(progress) ?? progress }),
    ...(toNumber(total) === undefined ? {} : { total: toNumber(total) }),
    ...(typeof message === 'string' ? { message } : {}),
  };
  const names = Object.keys(params);
  const same = names.every(
    (name) => Object.hasOwn(mended, name) && Reflect.get(mended, name) === params[name],
  );
  return same ? params : mended;
}

/**
 * A report of progress that came in the answer to a request, with the token of that request. Servers make tokens of their own,
 * or say none; a number may be that of another request.
 *
 * @returns The same message where it has such a number, or is another one.
 */
export function progressOf(message: unknown, token: string | number): unknown {
  if (!isObject(message) || message['method'] !== PROGRESS || !isObject(message['params'])) return message;
  const { params } = message;
  const isKnown = toNumber(params['progressToken']) !== undefined;
  return isKnown ? message : { ...message, params: { ...params, progressToken: token } };
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : undefined;
}
