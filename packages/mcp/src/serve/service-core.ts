import type { Gate } from '@toolgate/core';
import { type GateTools, gateTools } from './listed-tool.ts';
import { PrincipalCounter } from './principal-counter.ts';
import type { ServeSettings } from './serve-options.ts';

/** A client that is connected, as its server sees it. */
export interface ConnectedClient {
  /** Notes that the server's tools have changed. */
  noteChange(): void;
  /** Cancels what has no answer and joins it. */
  close(): Promise<void>;
}

/** What all clients of one server share. */
export class ServiceCore<Context> {
  readonly settings: ServeSettings<Context>;
  /** Calls without an answer, by principal. */
  readonly calls: PrincipalCounter;
  /** Streams of notices over HTTP (revision 2026-07-28), by principal. */
  readonly subscriptions: PrincipalCounter;
  /** Every client that is connected. */
  readonly connections: Set<ConnectedClient> = new Set();
  /** Integrity of what a client carries from one round to the next; of this process alone. */
  readonly stateKey: Uint8Array = crypto.getRandomValues(new Uint8Array(32));
  #gate: Gate<Context>;
  #tools: GateTools;
  #closing = false;

  constructor(gate: Gate<Context>, settings: ServeSettings<Context>) {
    this.#gate = gate;
    this.#tools = gateTools(gate.tools);
    this.settings = settings;
    const { maxCalls, maxSubscriptions, maxSubscriptionsPerPrincipal } = settings.limits;
    this.calls = new PrincipalCounter(maxCalls);
    this.subscriptions = new PrincipalCounter(maxSubscriptionsPerPrincipal, maxSubscriptions);
  }

  /** The gate of runs that begin now. */
  get gate(): Gate<Context> {
    return this.#gate;
  }

  /** Its tools by name. */
  get tools(): GateTools {
    return this.#tools;
  }

  get closing(): boolean {
    return this.#closing;
  }

  /** Takes another gate for what begins from now on. What runs keeps its own. */
  replaceGate(gate: Gate<Context>): void {
    this.#gate = gate;
    this.#tools = gateTools(gate.tools);
    for (const connection of this.connections) connection.noteChange();
  }

  /** Takes no further client, and cancels what the present ones still wait for. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.connections].map((connection) => connection.close()));
  }
}
