import { Pool } from 'undici';
import { expect, test } from 'vitest';
import { openPool } from './open-pool.ts';

test('a pool is the one that undici names so', async () => {
  const pool = openPool('http://127.0.0.1:9', { pipelining: 1 });
  expect(pool).toBeInstanceOf(Pool);
  await pool.close();
});
