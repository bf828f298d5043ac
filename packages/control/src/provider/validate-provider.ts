import { ignoreThrown } from '@toolgate/core';
import { MAX_PROVIDER_ID_BYTES } from '../bounds.ts';
import { ControlError } from '../control-error.ts';
import { validateSpec } from '../spec/validate-spec.ts';
import { textFault } from '../text/text-fault.ts';
import type { CheckedControlProvider, ControlToolProvider } from './control-tool-provider.ts';

/**
 * Checks the id of a provider: not blank, well-formed, at most 128 bytes.
 *
 * @throws ControlError `control/provider-invalid`.
 */
export function validateProviderId(id: unknown): string {
  const fault = textFault(id, { maxBytes: MAX_PROVIDER_ID_BYTES, required: true });
  if (fault !== undefined || typeof id !== 'string') throw invalid(`The id of the provider ${fault}.`);
  return id;
}

/**
 * Asks a provider for its id, once. The answer is to be kept for as long as the provider is used.
 *
 * @throws ControlError `control/provider-invalid`, also where the provider throws.
 */
export function providerIdentity(provider: ControlToolProvider): string {
  return validateProviderId(ask(provider, 'id'));
}

/**
 * Checks a provider: its id, then its spec, each asked for once.
 *
 * @throws ControlError `control/provider-invalid`, also where the provider throws; `control/spec-invalid`.
 */
export function validateProvider(provider: ControlToolProvider): CheckedControlProvider {
  const id = providerIdentity(provider);
  const spec = validateSpec(ask(provider, 'spec'));
  const handle = read(provider, 'handle');
  return Object.freeze({
    id,
    spec,
    handle: (...given: Parameters<ControlToolProvider['handle']>) => handle.apply(provider, given),
  });
}

function ask<Name extends 'id' | 'spec'>(
  provider: ControlToolProvider,
  name: Name,
): ReturnType<ControlToolProvider[Name]> {
  const member = read(provider, name);
  try {
    const answer = Reflect.apply(member, provider, []) as ReturnType<ControlToolProvider[Name]>;
    // Of an async function, by a slip; it is neither an id nor a spec.
    ignoreThrown(answer);
    return answer;
  } catch (cause) {
    throw invalid(`The provider threw when asked for its ${name}.`, { cause });
  }
}

function read<Name extends keyof ControlToolProvider>(
  provider: ControlToolProvider,
  name: Name,
): ControlToolProvider[Name] {
  const given: unknown = provider;
  if (typeof given !== 'object' || given === null) throw invalid('The provider must be an object.');
  let member: unknown;
  try {
    member = provider[name];
  } catch (cause) {
    throw invalid(`The member ${name} of the provider cannot be read.`, { cause });
  }
  if (typeof member !== 'function') throw invalid(`The member ${name} of the provider must be a function.`);
  return member as ControlToolProvider[Name];
}

function invalid(message: string, options?: ErrorOptions): ControlError {
  return new ControlError('control/provider-invalid', message, options);
}
