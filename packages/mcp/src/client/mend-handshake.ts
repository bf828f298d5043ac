import { isEmptyList, isObject, type Loose } from '../value-shape.ts';
import { withoutNulls } from '../without-nulls.ts';

/** Objects in objects that are looked into; a handshake has no deeper ones that matter. */
const MAX_DEPTH = 3;

/**
 * The result of a handshake as the SDK's schemas take it, which refuse all of it for one member: without what is
 * `null`, with an empty object where a language writes the empty list for it, and with what a server is called, as far
 * as it says so. Tools that are `null` are announced all the same: the list says whether there are any.
 */
export function mendHandshake(result: Loose): Record<string, unknown> {
  const { capabilities, serverInfo, instructions, ...rest } = withoutNulls(result, 1);
  return {
    ...rest,
    capabilities: mendCapabilities(capabilities),
    serverInfo: mendInfo(serverInfo),
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}

function mendCapabilities(capabilities: unknown): unknown {
  if (capabilities === undefined || isEmptyList(capabilities)) return {};
  if (!isObject(capabilities)) return capabilities;
  const mended: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(capabilities)) {
    if (isObject(value)) mended[name] = withoutNulls(value, MAX_DEPTH);
    else if (value === true || isEmptyList(value) || (name === 'tools' && value === null)) mended[name] = {};
  }
  return mended;
}

/** Names are for people: one that is missing is no reason to do without a server. */
function mendInfo(info: unknown): Loose {
  if (!isObject(info)) return { name: '', version: '' };
  const texts = Object.entries(info).filter(([, value]) => typeof value === 'string');
  return { name: '', version: '', ...Object.fromEntries(texts) };
}
