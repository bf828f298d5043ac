import type { Edit, FunctionTool, Instruction, Item, ModelTool, ToolChoice } from '@toolgate/model';
import { ControlError } from '../control-error.ts';
import type { CheckedControlSpec, ControlInstruction } from '../spec/control-spec.ts';
import type { Ineligibility } from './ineligibility.ts';

/** What an active projection froze of the call that it approved: the proof that a later call is still that one. */
export interface Proof {
  readonly spec: CheckedControlSpec;
  readonly toolChoice: ToolChoice | null | undefined;
  /** The client's own tools. */
  readonly tools: readonly ModelTool[];
  /** The client's own instructions. */
  readonly instructions: readonly Instruction[];
  /** System and developer messages at the head of the conversation that are no instructions. */
  readonly leading: readonly Item[];
  /** The item after those, where the client's instructions came as items; `null` where none did, or none follows. */
  readonly anchor: Item | null;
  readonly edits: readonly Edit[];
}

/** What the constructor wants to see; it never leaves this module, so that nobody else can approve anything. */
const SEAL = Symbol('seal');

let make: (proof: Proof | undefined, reason: Ineligibility | '') => Projection;
let read: (projection: unknown) => Proof | undefined;

/**
 * What was decided about the control tool of one candidate call: approved, or why not. Made by `project` alone, kept in
 * the process, never written anywhere: it has no content for JSON or a log. Immutable, and so is all that it gives.
 */
export class Projection {
  static {
    make = (proof, reason) => new Projection(SEAL, proof, reason);
    read = (projection) =>
      typeof projection === 'object' && projection !== null && #proof in projection
        ? projection.#proof
        : undefined;
  }

  readonly #proof: Proof | undefined;
  readonly #reason: Ineligibility | '';

  private constructor(seal: symbol, proof: Proof | undefined, reason: Ineligibility | '') {
    if (seal !== SEAL) {
      throw new ControlError('control/options-invalid', 'A projection is made by project.');
    }
    this.#proof = proof;
    this.#reason = reason;
    Object.freeze(this);
  }

  /** Whether the control tool and its instruction were approved for the call. */
  get active(): boolean {
    return this.#proof !== undefined;
  }

  /** Why not; the empty text when active. */
  get reason(): Ineligibility | '' {
    return this.#reason;
  }

  /** The approved tool, or `undefined`. */
  get tool(): FunctionTool | undefined {
    return this.#proof?.spec.tool;
  }

  /** The name of the approved tool, or the empty text. */
  get toolName(): string {
    return this.#proof?.spec.tool.name ?? '';
  }

  /** The approved instruction, or `undefined`. */
  get instruction(): ControlInstruction | undefined {
    return this.#proof?.spec.instruction;
  }

  /** The client's tool choice as approved; absent and `null` stay what they are. */
  get toolChoice(): ToolChoice | null | undefined {
    return this.#proof?.toolChoice;
  }

  /** Bytes that the arguments of the control call may have; 0 when inactive. */
  get maxArgsBytes(): number {
    return this.#proof?.spec.maxArgsBytes ?? 0;
  }

  /** The same change for the client's own JSON (`applyEdits`), so that everything else stays as it was written. */
  get edits(): readonly Edit[] {
    return this.#proof?.edits ?? [];
  }

  /** Holds nothing of what was approved. */
  toJSON(): { readonly active: boolean; readonly reason: Ineligibility | '' } {
    return { active: this.active, reason: this.#reason };
  }
}

/** An approval. */
export function activeProjection(proof: Proof): Projection {
  return make(proof, '');
}

/** A refusal with its reason. */
export function inactiveProjection(reason: Ineligibility): Projection {
  return make(undefined, reason);
}

/**
 * What an active projection froze.
 *
 * @throws ControlError `control/projection-inactive` for one that is inactive, and for everything that `project` did not
 *   make.
 */
export function proofOf(projection: unknown): Proof {
  const proof = read(projection);
  if (proof === undefined) {
    throw new ControlError('control/projection-inactive', 'The control projection is not active.');
  }
  return proof;
}
