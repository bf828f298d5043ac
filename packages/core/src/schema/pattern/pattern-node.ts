import type { CharacterSet } from './character-set.ts';

/** A pattern as a tree, with what matters for how long matching takes; which group captured what does not. */
export type PatternNode =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'sequence'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly nodes: readonly PatternNode[] }
  | RepeatNode
  | LookNode
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  | { readonly kind: 'boundary'; readonly negated: boolean }
  | { readonly kind: 'back-reference' };

/** `node` from `min` to `max` times in a row; `max` may be infinite. */
export interface RepeatNode {
  readonly kind: 'repeat';
  readonly node: PatternNode;
  readonly min: number;
  readonly max: number;
  readonly greedy: boolean;
}

/** A look-ahead or look-behind. */
export interface LookNode {
  readonly kind: 'look';
  readonly node: PatternNode;
  readonly behind: boolean;
  readonly negated: boolean;
}
