import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with files in it, for one test file. */
export interface TemporaryFolder {
  readonly path: string;
  /** Writes a file and gives its path; a value that is no text is written as JSON. */
  write(name: string, content: unknown): string;
  remove(): void;
}

/** Makes an empty folder. */
export function createTemporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'toolgate-'));
  return {
    path,
    write(name, content) {
      const file = join(path, name);
      const raw = typeof content === 'string' || content instanceof Uint8Array;
      writeFileSync(file, raw ? content : JSON.stringify(content));
      return file;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
