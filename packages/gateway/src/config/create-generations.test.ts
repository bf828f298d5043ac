import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGenerations } from './create-generations.ts';

/** Contents are texts; a source that begins with `bad` cannot be built. */
function setUp(): {
  readonly retired: string[];
  readonly built: string[];
  readonly build: (source: string) => Promise<string>;
  readonly retire: (content: string) => Promise<void>;
} {
  const retired: string[] = [];
  const built: string[] = [];
  return {
    retired,
    built,
    build: async (source) => {
      await Promise.resolve();
      if (source.startsWith('bad')) throw new Error(source);
      built.push(source);
      return source;
    },
    retire: async (content) => {
      retired.push(content);
    },
  };
}

test('a good generation is swapped in, and the one before is retired when nobody uses it', async () => {
  const { retired, ...options } = setUp();
  const generations = await createGenerations<string, string>('a', options);
  const lease = generations.lease();
  expect(await generations.reload('b')).toEqual({ kind: 'published', number: 2 });
  expect(generations.current).toEqual({ number: 2, content: 'b' });
  expect(lease).toMatchObject({ number: 1, content: 'a' });
  expect(retired).toEqual([]);
  lease.release();
  lease.release();
  await generations.reload('c');
  await generations.close();
  expect(retired).toEqual(['a', 'b', 'c']);
});

test('a bad generation leaves the last good one serving', async () => {
  const { retired, ...options } = setUp();
  const generations = await createGenerations<string, string>('a', options);
  expect(await generations.reload('bad')).toMatchObject({
    kind: 'refused',
    number: 1,
    error: new Error('bad'),
  });
  expect(generations.current).toEqual({ number: 1, content: 'a' });
  expect(await generations.reload('b')).toMatchObject({ kind: 'published' });
  await generations.close();
  expect(retired).toEqual(['a', 'b']);
});

test('without a first generation there is nothing', async () => {
  await expect(createGenerations<string, string>('bad', setUp())).rejects.toThrow('bad');
});

test('reloads at the same time run one after the other, and the last one wins', async () => {
  const { built, retired, ...options } = setUp();
  const generations = await createGenerations<string, string>('a', options);
  await Promise.all(['b', 'bad', 'c', 'd'].map((source) => generations.reload(source)));
  expect(built).toEqual(['a', 'b', 'c', 'd']);
  expect(generations.current.content).toBe('d');
  await generations.close();
  expect(retired).toEqual(['a', 'b', 'c', 'd']);
});

test('closing waits for what is in use, refuses reloads, and may be asked for twice', async () => {
  const { retired, ...options } = setUp();
  const generations = await createGenerations<string, string>('a', options);
  const lease = generations.lease();
  let closed = 0;
  const closing = [generations.close(), generations.close()].map(async (each) => {
    await each;
    closed += 1;
  });
  await expect(generations.reload('b')).rejects.toThrow(expect.objectContaining({ code: 'gateway/closed' }));
  expect({ closed, retired }).toEqual({ closed: 0, retired: [] });
  lease.release();
  await Promise.all(closing);
  expect({ closed, retired }).toEqual({ closed: 2, retired: ['a'] });
  await generations.close();
});

test('what goes wrong on the way out is reported and stops nothing', async () => {
  const errors: unknown[] = [];
  const { built, retired, ...options } = setUp();
  const generations = await createGenerations<string, string>('a', {
    ...options,
    retire: async (content) => {
      throw new Error(content);
    },
    onError: (error) => errors.push(error),
  });
  await generations.reload('b');
  await generations.close();
  expect(errors).toEqual([new Error('a'), new Error('b')]);
  expect({ built, retired }).toEqual({ built: ['a', 'b'], retired: [] });
});

test('whatever happens, every generation that was built is retired once and never while it is leased', async () => {
  const step = fc.constantFrom('good', 'bad', 'lease', 'release');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { built, retired, ...options } = setUp();
      const generations = await createGenerations<string, string>('first', options);
      const leases: { content: string; release: () => void }[] = [];
      for (const [index, kind] of steps.entries()) {
        if (kind === 'lease') leases.push(generations.lease());
        else if (kind === 'release') leases.shift()?.release();
        else await generations.reload(`${kind}-${index}`);
        for (const { content } of leases) expect(retired).not.toContain(content);
      }
      for (const { release } of leases) release();
      await generations.close();
      expect([...retired].sort()).toEqual([...built].sort());
    }),
  );
});
