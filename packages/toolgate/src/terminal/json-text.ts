/** What may not reach a terminal raw; JSON leaves most of it as it is. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** A value as JSON for machines that is harmless when a person looks at it: no raw control and no hidden character. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(UNSAFE, (character) =>
    // The only control that JSON writes itself, between indented lines.
    character === '\n' ? character : escapeUnits(character),
  );
}

function escapeUnits(character: string): string {
  let escaped = '';
  for (let index = 0; index < character.length; index += 1) {
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
