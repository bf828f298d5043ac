import { posix } from 'node:path';
import { isTest, moduleFacts, type SourceFile } from './architecture-rules.ts';

/**
 * The files of one package that lead back to themselves, types included: each group can only be read as a whole.
 *
 * @returns One line for each group: its paths below `src/`, sorted.
 */
export function importCycles(files: readonly SourceFile[]): readonly string[] {
  const known = new Set(files.map(({ path }) => path));
  const imports = new Map(
    files
      .filter(({ path }) => !isTest(path))
      .map((file) => [
        file.path,
        moduleFacts(file)
          .specifiers.filter((specifier) => specifier.startsWith('.'))
          .map((specifier) => posix.join(posix.dirname(file.path), specifier))
          .filter((path) => known.has(path)),
      ]),
  );
  const reached = new Map([...imports.keys()].map((path) => [path, reachedFrom(path, imports)]));
  const groups = [...reached].flatMap(([path, targets]) =>
    targets.has(path)
      ? [
          [...targets]
            .filter((target) => reached.get(target)?.has(path) === true)
            .sort()
            .join(' ↔ '),
        ]
      : [],
  );
  return [...new Set(groups)];
}

function reachedFrom(path: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const pending = [...(imports.get(path) ?? [])];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    pending.push(...(imports.get(next) ?? []));
  }
  return reached;
}
