import type { SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { OpaqueReasoning } from '../call/item.ts';
import type { AiSdkRoute } from './ai-sdk-route.ts';

/** What a provider says about a thought or a call beside its text, in neutral words. */
export interface ProviderMarks {
  readonly itemId?: string;
  readonly opaque?: OpaqueReasoning;
}

/** Reads the metadata of one part, under whatever key its provider puts it. */
export function readMetadata(metadata: SharedV4ProviderMetadata | undefined): ProviderMarks {
  for (const members of Object.values(metadata ?? {})) {
    const { signature, redactedData, reasoningEncryptedContent, thoughtSignature, itemId } = members;
    const opaque =
      opaqueOf('anthropic', 'signature', signature) ??
      opaqueOf('anthropic', 'redacted', redactedData) ??
      opaqueOf('openai-responses', 'encrypted', reasoningEncryptedContent) ??
      opaqueOf('gemini', 'signature', thoughtSignature);
    const marks: ProviderMarks = {
      ...(typeof itemId === 'string' && itemId !== '' ? { itemId } : {}),
      ...(opaque === undefined ? {} : { opaque }),
    };
    if (Object.keys(marks).length > 0) return marks;
  }
  return {};
}

function opaqueOf(
  protocol: OpaqueReasoning['protocol'],
  form: OpaqueReasoning['form'],
  value: unknown,
): OpaqueReasoning | undefined {
  return typeof value === 'string' && value !== '' ? { protocol, form, value } : undefined;
}

/** The metadata that says the same to the provider again; nothing for marks of another provider. */
export function writeMetadata(
  { itemId, opaque }: { readonly itemId?: string | undefined; readonly opaque?: OpaqueReasoning | undefined },
  { protocol, optionsKey }: AiSdkRoute,
): { readonly providerOptions?: SharedV4ProviderMetadata } {
  const members = {
    ...(itemId === undefined || protocol !== 'openai-responses' ? {} : { itemId }),
    ...(opaque === undefined || opaque.protocol !== protocol ? {} : { [memberOf(opaque)]: opaque.value }),
  };
  return Object.keys(members).length === 0 ? {} : { providerOptions: { [optionsKey]: members } };
}

function memberOf({ protocol, form }: OpaqueReasoning): string {
  if (protocol === 'openai-responses') return 'reasoningEncryptedContent';
  if (protocol === 'gemini') return 'thoughtSignature';
  return form === 'redacted' ? 'redactedData' : 'signature';
}
