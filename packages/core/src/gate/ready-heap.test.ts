import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReadyHeap } from './ready-heap.ts';

test('gives back the earliest sequence first, however items come and go', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat({ max: 1_000 }))), (operations) => {
      const heap = new ReadyHeap<{ readonly sequence: number }>();
      const model: number[] = [];
      for (const operation of operations) {
        if (operation === null) {
          model.sort((one, other) => one - other);
          expect(heap.pop()?.sequence).toBe(model.shift());
        } else {
          heap.push({ sequence: operation });
          model.push(operation);
        }
        expect(heap.size).toBe(model.length);
      }
    }),
  );
});
