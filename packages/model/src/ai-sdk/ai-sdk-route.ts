import type { Protocol } from '../call/protocol.ts';

/** Where the requests of a language model go, as far as its provider's name tells. */
export interface AiSdkRoute {
  /** Whose rules for names, ids and schemas apply, and whose thoughts are understood. */
  readonly protocol: Protocol;
  /** The key of the provider's own options and metadata. */
  readonly optionsKey: string;
}

/** Reads a provider's name, such as `anthropic.messages` or `openai.responses`. */
export function aiSdkRoute(provider: string): AiSdkRoute {
  const [name = '', api = ''] = provider.toLowerCase().split('.');
  if (name.includes('anthropic') || api.includes('anthropic'))
    return { protocol: 'anthropic', optionsKey: 'anthropic' };
  if (name.includes('google') || name.includes('vertex')) return { protocol: 'gemini', optionsKey: 'google' };
  const protocol = api === 'responses' ? 'openai-responses' : 'openai-chat';
  return { protocol, optionsKey: name };
}
