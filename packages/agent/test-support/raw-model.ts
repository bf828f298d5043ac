import type { Model, ModelCall, ModelEvent, ModelRequestOptions } from '@toolgate/model';

/** What a raw model does in one turn: events as they are, however wrong, or whatever the function gives. */
export type RawTurn =
  | readonly unknown[]
  | ((call: ModelCall, options: ModelRequestOptions) => AsyncIterable<unknown>);

/** A model that does exactly as it is told, with no regard for the order of events or their types. */
export interface RawModel extends Model {
  readonly requests: readonly ModelCall[];
}

/** Makes a raw model. A request beyond the last turn throws. */
export function rawModel(...turns: readonly RawTurn[]): RawModel {
  const requests: ModelCall[] = [];
  return {
    id: 'raw',
    capabilities: new Set(['streaming', 'tools']),
    requests,
    stream(call, options) {
      const turn = turns[requests.length];
      requests.push(call);
      if (turn === undefined) throw new Error('the raw model has no further turn');
      const events = typeof turn === 'function' ? turn(call, options) : replay(turn);
      return events as AsyncIterable<ModelEvent>;
    },
  };
}

async function* replay(events: readonly unknown[]): AsyncGenerator<unknown> {
  yield* events;
}

export const start = { kind: 'response-start', id: 'r', model: 'raw' } as const;
export const stop = { kind: 'response-end', finish: 'stop' } as const;
export const callsEnd = { kind: 'response-end', finish: 'tool-calls' } as const;

/** The events of one text. */
export function text(index: number, ...pieces: readonly string[]): readonly unknown[] {
  return [
    { kind: 'text-start', index },
    ...pieces.map((piece) => ({ kind: 'text-delta', index, text: piece })),
    { kind: 'text-end', index },
  ];
}

/** The events of one finished call. */
export function call(
  index: number,
  name: unknown,
  args: string,
  callId: unknown = `c${index}`,
): readonly unknown[] {
  return [
    { kind: 'call-start', index, callId, name },
    { kind: 'call-delta', index, delta: args },
    { kind: 'call-end', index, callId, name, arguments: args },
  ];
}

/** A turn that ends a run. */
export const goodbye: readonly unknown[] = [start, ...text(0, 'Done.'), stop];
