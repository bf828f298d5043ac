import type { AnswerStep } from '../answer/answer-step.ts';

/** Places that may be empty before what waits is moved up. */
const MOST_EMPTY = 1_024;
/** Bytes that an event without bytes of its own is taken for; what it says is bounded by who decodes it. */
const EVENT_COST = 128;

/** Steps that wait, in order. A list that is shifted moves all that is left each time, which many pieces of a call make long. */
export class StepQueue {
  readonly #steps: AnswerStep[] = [];
  #first = 0;
  #bytes = 0;

  /** About how many bytes all that waits takes, apart from what its events say. */
  get bytes(): number {
    return this.#bytes;
  }

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
    this.#bytes += bytesOf(step);
  }

  /** Puts another step in the place of the first one. */
  replaceFirst(step: AnswerStep): void {
    const first = this.first;
    if (first === undefined) return;
    this.#bytes += bytesOf(step) - bytesOf(first);
    this.#steps[this.#first] = step;
  }

  shift(): void {
    const first = this.first;
    if (first === undefined) return;
    this.#bytes -= bytesOf(first);
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
    this.#bytes = 0;
  }

  /** All that wait. */
  rest(): readonly AnswerStep[] {
    return this.#steps.slice(this.#first);
  }
}

function bytesOf({ events, raw }: AnswerStep): number {
  let bytes = events.length * EVENT_COST;
  if (raw !== undefined) for (const piece of raw) bytes += piece.byteLength;
  return bytes;
}
