import type { AnswerStep } from '../answer/answer-step.ts';

/** Places that may be empty before what waits is moved up. */
const MOST_EMPTY = 1_024;

/** Steps that wait, in order. A list that is shifted moves all that is left each time, which many pieces of a call make long. */
export class StepQueue {
  readonly #steps: AnswerStep[] = [];
  #first = 0;

  get isEmpty(): boolean {
    return this.#first === this.#steps.length;
  }

  get first(): AnswerStep | undefined {
    return this.#steps[this.#first];
  }

  get last(): AnswerStep | undefined {
    return this.isEmpty ? undefined : this.#steps.at(-1);
  }

  push(step: AnswerStep): void {
    this.#steps.push(step);
  }

  /** Puts another step in the place of the first one. */
  replaceFirst(step: AnswerStep): void {
    if (!this.isEmpty) this.#steps[this.#first] = step;
  }

  shift(): void {
    if (this.isEmpty) return;
    this.#first += 1;
    if (this.isEmpty) this.clear();
    else if (this.#first >= MOST_EMPTY && this.#first * 2 >= this.#steps.length) {
      this.#steps.splice(0, this.#first);
      this.#first = 0;
    }
  }

  clear(): void {
    this.#steps.length = 0;
    this.#first = 0;
  }

  /** All that wait. */
  rest(): readonly AnswerStep[] {
    return this.#steps.slice(this.#first);
  }
}
