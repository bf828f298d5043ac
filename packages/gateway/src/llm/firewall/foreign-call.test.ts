import { describe, expect, test } from 'vitest';
import { isOfferedForeign } from './foreign-call.ts';

const offered = (hosted: readonly string[], named: readonly string[] = []) => ({
  hosted: new Set(hosted),
  named: new Set(named),
});

describe('a call of a kind that the protocol defines', () => {
  test.each([
    ['shell', ['shell']],
    ['local_shell', ['local_shell']],
    ['computer', ['computer']],
    ['computer', ['computer_use_preview']],
    ['computer', ['computer_use_preview_2025_03_11']],
    ['computer', ['computer_use']],
  ])('%s is offered by %j', (name, kinds) => {
    expect(isOfferedForeign({ hosted: true, name }, offered(kinds))).toBe(true);
  });

  test.each([
    ['shell', ['shell_admin', 'local_shell']],
    ['computer', ['computer_wipe', 'computers', 'computer_use_previewer']],
    ['apply', ['apply_patch']],
    ['', ['shell', '_call']],
  ])('%j is not offered by %j', (name, kinds) => {
    expect(isOfferedForeign({ hosted: true, name }, offered(kinds))).toBe(false);
  });

  test('is not offered by a custom tool of its name, and offers none', () => {
    expect(isOfferedForeign({ hosted: true, name: 'shell' }, offered([], ['shell']))).toBe(false);
    expect(isOfferedForeign({ name: 'shell' }, offered(['shell']))).toBe(false);
    expect(isOfferedForeign({ name: 'shell' }, offered([], ['shell']))).toBe(true);
    expect(isOfferedForeign({ name: 'shell' }, offered([], ['shell_admin']))).toBe(false);
  });
});
