import { expect, test } from 'vitest';
import { OpenQuestions } from './open-questions.ts';

const life = new AbortController().signal;

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
    life,
  );
  const second = questions.during(async () => {
    throw new Error('nobody there');
  }, life);
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
  await questions.during(async () => 'yes', life);
  expect(seen).toHaveLength(2);
});

test('a question is over with the last call that it may belong to, and with its own signal, however deaf who is asked', async () => {
  const questions = new OpenQuestions();
  const deaf = () => new Promise<never>(() => undefined);
  const held = { hold: () => undefined, release: () => undefined };
  const [first, second] = [questions.watch(held), questions.watch({ ...held })];
  let over = false;
  const question = questions.during(deaf, life).finally(() => {
    over = true;
  });
  first();
  await new Promise((resolve) => setImmediate(resolve));
  expect(over).toBe(false);
  second();
  await expect(question).rejects.toThrow('No call is left');
  await expect(questions.during(deaf, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  const rejecting = async () => {
    throw new Error('late');
  };
  await expect(questions.during(rejecting, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});
