import type { ModelCall } from './call/model-call.ts';
import type { ModelEvent } from './event/model-event.ts';

/** What a model behind a port can do. Other words are allowed; these are the ones Toolgate asks for. */
export type Capability =
  | 'streaming'
  | 'tools'
  | 'parallel_tool_calls'
  | 'vision'
  | 'documents'
  | 'structured_outputs'
  | 'reasoning'
  | 'reasoning_replay'
  | (string & {});

/** How one model turn is asked for. */
export interface ModelRequestOptions {
  /** Ends the turn and closes its connection. */
  readonly signal: AbortSignal;
}

/**
 * A language model: one call in, one stream of events out.
 *
 * The stream obeys the order of {@link ModelEvent}. Trouble on the way (status, connection, silence) is thrown by the
 * iterator as a `ModelError` before the first event and given as `response-error` after it. Ending the iteration early
 * releases the connection.
 */
export interface Model {
  /** For logs and run states, for example `openai-chat:gpt-x`. */
  readonly id: string;
  readonly capabilities: ReadonlySet<Capability>;
  stream(call: ModelCall, options: ModelRequestOptions): AsyncIterable<ModelEvent>;
}
