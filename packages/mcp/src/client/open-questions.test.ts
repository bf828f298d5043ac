import { expect, test } from 'vitest';
import { OpenQuestions } from './open-questions.ts';

test('something is held from the first question to the last answer, and nothing that is watched no more', async () => {
  const questions = new OpenQuestions();
  const seen: string[] = [];
  const leave = questions.watch({ hold: () => seen.push('hold'), release: () => seen.push('release') });
  let answer: ((text: string) => void) | undefined;
  const first = questions.during(
    () =>
      new Promise<string>((resolve) => {
        answer = resolve;
      }),
  );
  const second = questions.during(async () => {
    throw new Error('nobody there');
  });
  await expect(second).rejects.toThrow('nobody there');
  expect(seen).toEqual(['hold']);
  const late: string[] = [];
  questions.watch({ hold: () => late.push('hold'), release: () => late.push('release') });
  answer?.('yes');
  expect(await first).toBe('yes');
  expect([seen, late]).toEqual([
    ['hold', 'release'],
    ['hold', 'release'],
  ]);
  leave();
  await questions.during(async () => 'yes');
  expect(seen).toHaveLength(2);
});
