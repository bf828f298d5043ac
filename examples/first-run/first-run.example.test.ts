import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { builtBin } from '../../packages/toolgate/test-support/built-bin.ts';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

test('the first run of the README calls the tool and gives the answer', () => {
  const args = [
    'run',
    '--model',
    `scripted:${here('script.json')}`,
    '--tools',
    here('tools.mjs'),
    'What is 2 + 3?',
  ];
  const { status, stdout } = spawnSync(process.execPath, [builtBin(), ...args], { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout).toContain('It is 5.');
});
