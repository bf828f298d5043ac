/** What one wire accepts as a name or an id: which characters, and how many. */
export interface AliasRule {
  readonly minLength: number;
  readonly maxLength: number;
  /** Characters allowed in front, as the inside of a regular expression class. */
  readonly first: string;
  /** Characters allowed behind it, as the inside of a regular expression class. */
  readonly rest: string;
}

/** A rule with its compiled tests. */
export interface AliasTest {
  readonly rule: AliasRule;
  /** Whether the wire accepts the text as it is. */
  isLegal(text: string): boolean;
  /** The text with each character that is not allowed replaced by `_`, or left out where `_` is not allowed either. */
  clean(text: string): string;
}

/** Compiles the tests of a rule once. */
export function compileAliasRule(rule: AliasRule): AliasTest {
  const legal = new RegExp(`^[${rule.first}][${rule.rest}]*$`, 'u');
  const first = new RegExp(`^[${rule.first}]$`, 'u');
  const foreign = new RegExp(`[^${rule.rest}]`, 'gu');
  const filler = new RegExp(`^[${rule.rest}]$`, 'u').test('_') ? '_' : '';
  return {
    rule,
    isLegal: (text) => text.length >= rule.minLength && text.length <= rule.maxLength && legal.test(text),
    clean: (text) => {
      const cleaned = text.replace(foreign, filler);
      const front = cleaned.slice(0, 1);
      return front === '' || first.test(front) ? cleaned : `${first.test('_') ? '_' : ''}${cleaned}`;
    },
  };
}
