import { checkSeal, SEAL } from '../internal/seal.ts';
import { canonicalText } from '../json/canonical-text.ts';
import { type Digest, digestText } from '../json/digest.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { InputValidator } from './input-validator.ts';
import type { ToolDefinition } from './tool-definition.ts';

/**
 * What an invocation keeps of its contract. One object for each contract: its identity is the seal.
 * @internal
 */
export interface InvocationSource {
  readonly definition: ToolDefinition;
  readonly validator: InputValidator | undefined;
  /** Reads text that was admitted before; defaults included. */
  readonly read: (admittedText: string) => JsonObject;
}

/**
 * What a contract admitted.
 * @internal
 */
export interface Admission {
  readonly callId: string;
  readonly text: string;
  /** The first copy of the arguments; absent when they have a normal form of their own. */
  readonly value: JsonObject | undefined;
  readonly filled: readonly string[];
  /** What the contract's validator made of the arguments. */
  readonly input: unknown;
}

let make: (source: InvocationSource, admission: Admission) => Invocation;
let sourceOf: (invocation: Invocation) => InvocationSource | undefined;
let inputOf: (invocation: Invocation) => unknown;

/**
 * Arguments that one exact contract admitted. Only `contract.prepare` makes one; it cannot be forged, and a contract
 * with the same name cannot use it.
 */
export class Invocation {
  static {
    make = (source, admission) => new Invocation(SEAL, source, admission);
    sourceOf = (invocation) => (#source in invocation ? invocation.#source : undefined);
    inputOf = (invocation) => {
      const input = invocation.#input;
      invocation.#input = TAKEN;
      return input;
    };
  }

  readonly #source: InvocationSource;
  readonly #callId: string;
  readonly #text: string;
  readonly #filled: readonly string[];
  #value: JsonObject | undefined;
  #input: unknown;
  #canonical: string | undefined;
  #digest: Digest | undefined;

  private constructor(seal: typeof SEAL, source: InvocationSource, admission: Admission) {
    checkSeal(seal, 'contract.prepare makes an invocation');
    this.#source = source;
    this.#callId = admission.callId;
    this.#text = admission.text;
    this.#value = admission.value;
    this.#filled = admission.filled;
    this.#input = admission.input;
  }

  /** The id of the call as proposed. */
  get callId(): string {
    return this.#callId;
  }

  /** The name of the tool. */
  get name(): string {
    return this.#source.definition.name;
  }

  /** The admitted arguments, defaults included, as a value that the caller owns; a new one each time. */
  arguments(): JsonObject {
    const first = this.#value;
    if (first === undefined) return this.#source.read(this.#text);
    this.#value = undefined;
    return first;
  }

  /** The same arguments as canonical JSON (RFC 8785). Made on first use. */
  get argumentsText(): string {
    this.#canonical ??= canonicalText(this.#value ?? this.#source.read(this.#text));
    return this.#canonical;
  }

  /** The digest of `argumentsText`. Made on first use. */
  get digest(): Digest {
    this.#digest ??= digestText(this.argumentsText);
    return this.#digest;
  }

  /** Pointers (RFC 6901) of members that defaults filled in, in document order; empty when none were. */
  get filled(): readonly string[] {
    return this.#filled;
  }
}

/**
 * The input of an invocation that somebody took already, or that no validator made.
 * @internal
 */
export const TAKEN: unique symbol = Symbol('taken');

/**
 * Makes an invocation; for contracts only. It is to be frozen before anybody outside of this package sees it: without that, a
 * member of its own could hide one of these. What it holds is out of reach in any case.
 * @internal
 */
export function admitInvocation(source: InvocationSource, admission: Admission): Invocation {
  return make(source, admission);
}

/**
 * The source of a genuine invocation; `undefined` for everything else.
 * @internal
 */
export function invocationSource(value: unknown): InvocationSource | undefined {
  return typeof value === 'object' && value !== null ? sourceOf(value as Invocation) : undefined;
}

/**
 * What the contract's validator made of the arguments, once; then `TAKEN`.
 * @internal
 */
export function takeValidatedInput(invocation: Invocation): unknown {
  return inputOf(invocation);
}
