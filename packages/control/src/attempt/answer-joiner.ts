import type { ModelEvent, Usage } from '@toolgate/model';
import type { FlowingEvent, TerminalEvent } from './attempt-facts.ts';
import { awaitsClient } from './awaits-client.ts';
import { sumUsage } from './sum-usage.ts';

type BlockEvent = Extract<ModelEvent, { readonly index: number }>;

/**
 * Joins the answers of several attempts to the one that the client sees: one start, blocks with numbers of their own,
 * the counts of all attempts together.
 */
export class AnswerJoiner {
  #started = false;
  #offset = 0;
  #next = 0;
  /** Blocks of text that have begun and not ended, by the number that the client knows. */
  readonly #open = new Map<number, 'text-end' | 'refusal-end' | 'reasoning-end'>();
  #textBefore = false;
  #textNow = false;
  /** Whether the last text that the client got ends with white space. */
  #spaced = false;
  /** Whether the next text is behind a finished one of an attempt before: some wires have one text for all. */
  #parts = false;
  #calls = false;
  /** Counts of the attempts before, and of this one as far as known. */
  #before: Usage | null | undefined;
  #usage: Usage | null = null;

  /** Whether the client has the start of an answer. */
  get started(): boolean {
    return this.#started;
  }

  /** The next free block. */
  get nextIndex(): number {
    return this.#next;
  }

  /** Whether the client has got text from the present attempt that is more than white space. */
  get hasTextNow(): boolean {
    return this.#textNow;
  }

  /** The same of any attempt. */
  get hasText(): boolean {
    return this.#textNow || this.#textBefore;
  }

  /** The start of the answer, where no attempt has brought one. */
  begin(): readonly ModelEvent[] {
    if (this.#started) return [];
    this.#started = true;
    return [Object.freeze({ kind: 'response-start', id: null, model: null })];
  }

  /** What goes to the client for an event of the present attempt, if anything does: the event itself in the first one. */
  push(event: FlowingEvent): ModelEvent | undefined {
    switch (event.kind) {
      case 'response-start': {
        const first = !this.#started;
        this.#started = true;
        return first ? event : undefined;
      }
      case 'usage':
        this.#usage = event.usage;
        return this.#before === undefined ? event : undefined;
      case 'warning':
        return event;
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'refusal-start':
      case 'refusal-delta':
      case 'refusal-end':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
      case 'call-start':
      case 'call-delta':
      case 'call-end':
      case 'part':
      case 'foreign':
        return this.#move(event);
    }
  }

  /**
   * Ends the present attempt because another one follows: what it left open is closed, what it counted is added up.
   *
   * @param terminal - How the present one ended. What broke off may go on in the middle of a word.
   */
  nextAttempt(terminal: TerminalEvent): readonly ModelEvent[] {
    const closing = this.#close();
    this.#offset = this.#next;
    this.#textBefore = this.hasText;
    this.#textNow = false;
    this.#parts = this.#textBefore && isFinished(terminal);
    this.#before = this.#before === undefined ? this.#usage : sumUsage(this.#before, this.#usage);
    this.#usage = null;
    return closing;
  }

  /** The end of the whole answer, with the counts of all attempts where there was more than one. */
  end(terminal: TerminalEvent): readonly ModelEvent[] {
    const end = this.#visibleEnd(terminal);
    // A failure may be all that comes; an end needs its start.
    const before = terminal.kind === 'response-end' ? [...this.begin(), ...this.#close()] : [];
    const counts = this.#before === undefined ? [] : summed(sumUsage(this.#before, this.#usage));
    return before.length + counts.length === 0 ? [end] : [...before, ...counts, end];
  }

  /** The client has seen no control call: an end that was due to one is a stop to it. */
  #visibleEnd(terminal: TerminalEvent): ModelEvent {
    if (terminal.kind === 'response-error' || terminal.finish !== 'tool-calls' || this.#calls)
      return terminal;
    const { finishDetail: _, ...rest } = terminal;
    return Object.freeze({ ...rest, finish: 'stop' as const });
  }

  #close(): readonly ModelEvent[] {
    const events = [...this.#open].map(([index, kind]) => Object.freeze({ kind, index }));
    this.#open.clear();
    return events;
  }

  #move(event: BlockEvent): ModelEvent {
    const index = event.index + this.#offset;
    this.#next = Math.max(this.#next, index + 1);
    this.#note(event, index);
    if (event.kind === 'text-delta') {
      const text = this.#parted(event.text);
      return this.#offset === 0 ? event : Object.freeze({ ...event, index, text });
    }
    if (this.#offset === 0) return event;
    const continues = 'continues' in event ? event.continues : undefined;
    return Object.freeze({
      ...event,
      index,
      ...(continues === undefined ? {} : { continues: continues + this.#offset }),
    });
  }

  /** The text, with a blank line before it where it would stick to a finished one of an attempt before. */
  #parted(text: string): string {
    const sticks = this.#parts && !this.#spaced && /^\S/.test(text);
    if (text !== '') {
      this.#parts = false;
      this.#spaced = /\s/.test(text.slice(-1));
    }
    return sticks ? `\n\n${text}` : text;
  }

  #note(event: BlockEvent, index: number): void {
    switch (event.kind) {
      case 'text-start':
        this.#open.set(index, 'text-end');
        return;
      case 'refusal-start':
        this.#open.set(index, 'refusal-end');
        return;
      case 'reasoning-start':
        this.#open.set(index, 'reasoning-end');
        return;
      case 'call-start':
        this.#calls = true;
        return;
      case 'foreign':
        this.#calls ||= awaitsClient(event.item);
        return;
      case 'text-delta':
        this.#textNow ||= event.text.trim() !== '';
        return;
      case 'text-end':
      case 'refusal-end':
      case 'reasoning-end':
        this.#open.delete(index);
        return;
      case 'refusal-delta':
      case 'reasoning-delta':
      case 'call-delta':
      case 'call-end':
      case 'part':
        return;
    }
  }
}

function isFinished(terminal: TerminalEvent): boolean {
  return terminal.kind === 'response-end' && (terminal.finish === 'stop' || terminal.finish === 'tool-calls');
}

/** Says that the counts are those of several attempts, and gives them. */
function summed(usage: Usage | null): readonly ModelEvent[] {
  if (usage === null) return [];
  return [
    Object.freeze({ kind: 'warning', code: 'usage_summed', detail: 'The counts are those of all attempts.' }),
    Object.freeze({ kind: 'usage', usage }),
  ];
}
