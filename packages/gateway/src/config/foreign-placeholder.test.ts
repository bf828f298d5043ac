import { describe, expect, test } from 'vitest';
import { isForeignPlaceholder } from './foreign-placeholder.ts';

describe('a secret', () => {
  test.each([
    '$API_KEY',
    '$_',
    'os.environ/API_KEY',
    'os.environ/',
    'env.API_KEY',
    'env:API_KEY',
    '{env:API_KEY}',
  ])('%s is the name of a variable, as others write it', (text) => {
    expect([isForeignPlaceholder(text), isForeignPlaceholder(`Bearer ${text}`)]).toEqual([true, true]);
  });

  test.each([
    '',
    '$',
    '$1A',
    '$api_key',
    '$API-KEY',
    '$API_KEY!',
    '$API_KEY\n',
    '$$API_KEY',
    'x$API_KEY',
    '$2b$10$N9qo8uLOickgx2ZMRZoMye',
    'sk-os.environ/API_KEY',
    'os.environment',
    'environment',
    'env.api-key',
    '{env:api key}',
    'Bearer',
    'Bearer sk-API_KEY',
    '$' + '{env:API_KEY}',
  ])('%j is taken as it is', (text) => {
    expect(isForeignPlaceholder(text)).toBe(false);
  });
});
