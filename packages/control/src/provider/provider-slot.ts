import { ControlError } from '../control-error.ts';
import type { CheckedControlProvider, ControlToolProvider } from './control-tool-provider.ts';
import { validateProvider } from './validate-provider.ts';

/** The place for the one control provider of a configuration. */
export interface ProviderSlot {
  /** The provider of the present generation; `undefined` means that there is no control tool and nothing to do. */
  readonly current: CheckedControlProvider | undefined;
  /**
   * Puts the next generation in place. Requests that began before keep the provider that they began with.
   *
   * @throws ControlError `control/provider-invalid` for more than one provider, and as `validateProvider` does; the
   *   last good generation stays.
   */
  replace(providers: readonly ControlToolProvider[]): void;
}

/**
 * Makes a slot, empty or with a first provider.
 *
 * @throws ControlError as {@link ProviderSlot.replace} does.
 */
export function createProviderSlot(providers: readonly ControlToolProvider[] = []): ProviderSlot {
  let current: CheckedControlProvider | undefined;
  const slot: ProviderSlot = Object.freeze({
    get current() {
      return current;
    },
    replace(next: readonly ControlToolProvider[]) {
      if (next.length > 1) {
        throw new ControlError('control/provider-invalid', 'There may be one control provider, not several.');
      }
      const [provider] = next;
      current = provider === undefined ? undefined : validateProvider(provider);
    },
  });
  slot.replace(providers);
  return slot;
}
