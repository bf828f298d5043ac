import type { ForeignItem } from '@toolgate/model';

/** Items of OpenAI Responses that its provider runs on its own. */
const PROVIDER_RUN: ReadonlySet<unknown> = new Set([
  'code_interpreter_call',
  'file_search_call',
  'image_generation_call',
  'mcp_call',
  'web_search_call',
]);

/** Whether a foreign item is, or may be, a call that the client has to answer. In doubt it is. */
export function awaitsClient({ protocol, value }: ForeignItem): boolean {
  if (protocol === 'openai-chat') return true;
  if (protocol !== 'openai-responses' || typeof value !== 'object' || value === null) return false;
  const { type } = value as { readonly type?: unknown };
  if (PROVIDER_RUN.has(type)) return false;
  return typeof type === 'string' && (type.endsWith('_call') || type === 'mcp_approval_request');
}
