// Holds the documents against the code: a fence `ts file=path#region` must equal that region of the file, and every
// relative link must lead to a file. `--write` copies the regions into the fences.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './ensure.mjs';

const write = process.argv.includes('--write');
/** @type {string[]} */
const faults = [];

/** @param {string} folder @returns {string[]} */
function markdownBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', 'api', '.git', '.cache', 'fixtures'].includes(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return markdownBelow(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** The text between `// #region name` and `// #endregion`, without common indentation. @param {string} file @param {string} name */
function region(file, name) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.trim() === `// #region ${name}`);
  const end = lines.findIndex((line, index) => index > start && line.trim() === '// #endregion');
  if (start < 0 || end < 0) return undefined;
  const body = lines.slice(start + 1, end);
  const indent = Math.min(...body.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  // The formatter may leave a blank line before the end of a region.
  return body
    .map((line) => line.slice(indent))
    .join('\n')
    .trimEnd();
}

for (const path of markdownBelow(root)) {
  const shown = relative(root, path);
  const text = readFileSync(path, 'utf8');
  const fixed = text.replace(
    /^```(\w+) file=([^\s#]+)#(\S+)\n((?:(?!```).*\n)*)```$/gm,
    (fence, language, file, name, body) => {
      const wanted = existsSync(join(root, file)) ? region(file, name) : undefined;
      if (wanted === undefined) {
        faults.push(`${shown}: no region ${name} in ${file}`);
        return fence;
      }
      if (`${wanted}\n` === body) return fence;
      if (!write)
        faults.push(`${shown}: the fence differs from ${file}#${name}; run "node scripts/docs.mjs --write"`);
      return `\`\`\`${language} file=${file}#${name}\n${wanted}\n\`\`\``;
    },
  );
  if (write && fixed !== text) writeFileSync(path, fixed);
  for (const [, target = ''] of text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)) {
    if (/^[a-z]+:/.test(target)) continue;
    if (!existsSync(join(dirname(path), target))) faults.push(`${shown}: broken link ${target}`);
  }
}

for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
