import { Chain, type Link } from './chain.ts';

/** One wish for a resource key. */
export interface KeyClaim extends Link<KeyClaim> {
  readonly key: string;
  /** Called once the key is this claim's, unless it was free at once. */
  readonly onGranted: () => void;
}

/** The resource keys of one gate. Each is held by at most one claim; the others wait in the order in which they came. */
export class KeyLocks {
  /** The first claim of a chain holds the key. */
  readonly #chains = new Map<string, Chain<KeyClaim>>();

  /** @returns `true` when the claim holds the key at once. */
  claim(claim: KeyClaim): boolean {
    let chain = this.#chains.get(claim.key);
    if (chain === undefined) {
      chain = new Chain();
      this.#chains.set(claim.key, chain);
    }
    chain.append(claim);
    return chain.first === claim;
  }

  /** Gives up a claim, whether it holds the key or waits for it. */
  release(claim: KeyClaim): void {
    const chain = this.#chains.get(claim.key);
    if (chain === undefined) return;
    const held = chain.first === claim;
    chain.remove(claim);
    if (chain.first === undefined) this.#chains.delete(claim.key);
    else if (held) chain.first.onGranted();
  }
}
