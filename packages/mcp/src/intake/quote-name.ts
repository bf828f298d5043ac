/** A foreign name as it may stand in a message: short, and with everything that is not plain escaped. */
export function quoteName(name: string): string {
  const short = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  return JSON.stringify(short).replace(/[^\x20-\x7e…]/gu, (character) => {
    let escaped = '';
    for (let index = 0; index < character.length; index += 1) {
      escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
    }
    return escaped;
  });
}
