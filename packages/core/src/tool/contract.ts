import { checkSeal, SEAL } from '../internal/seal.ts';
import { type Digest, digest } from '../json/digest.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { JsonError } from '../json/json-error.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { type FlatNames, toFlatNames } from '../json/read-flat.ts';
import { explainGivenUp } from '../schema/explain/explain-value.ts';
import { entriesMember } from '../schema/member.ts';
import type { IntakeReport, Issue } from '../schema/schema.ts';
import type { ArgumentLimits } from './argument-limits.ts';
import { isCallId } from './call-id.ts';
import type { CallRefusal } from './call-refusal.ts';
import type { InputValidator } from './input-validator.ts';
import { admitInvocation, type Invocation, type InvocationSource, TAKEN } from './invocation.ts';
import { normalForm, type SecondLook, TOO_COSTLY } from './normal-form.ts';
import { readArguments } from './read-arguments.ts';
import { refuse, refuseIssues, refuseRoot, refuseText } from './refuse.ts';
import { runValidator } from './run-validator.ts';
import type { SealedDefinition } from './sealed-definition.ts';
import type { ToolCall } from './tool-call.ts';
import type { ToolDefinition } from './tool-definition.ts';
import type { ToolOutput } from './tool-output.ts';

/** Either an invocation, or why there is none. */
export type Prepared =
  | { readonly ok: true; readonly invocation: Invocation }
  | { readonly ok: false; readonly error: CallRefusal };

/**
 * What a contract is made of.
 * @internal
 */
export interface ContractParts {
  readonly sealed: SealedDefinition;
  readonly limits: ArgumentLimits;
  readonly validator: InputValidator | undefined;
}

const NOTHING_FILLED: readonly string[] = Object.freeze([]);

let make: (parts: ContractParts) => Contract;
let prepareOwn: (contract: Contract, call: ToolCall) => Prepared;
let sourceOf: (contract: Contract) => InvocationSource;

/**
 * The trust boundary of one tool: its frozen definition, compiled schemas and input validator. It turns an untrusted
 * proposal into an `Invocation` and holds no tool, so it can be kept and passed on alone. Immutable.
 */
export class Contract {
  static {
    make = (parts) => new Contract(SEAL, parts);
    prepareOwn = (contract, call) => contract.#prepare(call);
    sourceOf = (contract) => contract.#source;
  }

  readonly #parts: ContractParts;
  readonly #source: InvocationSource;
  readonly #look: SecondLook;
  #digest: Digest | undefined;
  /** Made on first use. */
  #names: FlatNames | undefined;
  /** What defaults filled in the last time. */
  #filled: readonly string[] = NOTHING_FILLED;

  private constructor(seal: typeof SEAL, parts: ContractParts) {
    checkSeal(seal, 'bind and defineContract make a contract');
    const { sealed, validator } = parts;
    this.#parts = parts;
    this.#source = {
      definition: sealed.definition,
      validator,
      read: (admittedText) => {
        const value = this.#readText(admittedText) as JsonObject;
        sealed.input.applyDefaults(value);
        return value;
      },
    };
    this.#look = {
      read: this.#source.read,
      check: (again) => sealed.input.check(again),
    };
    Object.freeze(this);
  }

  /** Deeply frozen; its schemas are what is enforced. */
  get definition(): ToolDefinition {
    return this.#source.definition;
  }

  /**
   * Digest of the whole definition: name, title, description, both schemas, annotations. Whatever a reviewer was
   * shown changes it; limits and validators do not. Made on first use.
   */
  get digest(): Digest {
    this.#digest ??= digest(this.definition as unknown as JsonObject);
    return this.#digest;
  }

  /** What was learned about the input schema when it was taken in. */
  get intake(): IntakeReport {
    return this.#parts.sealed.input.intake;
  }

  /** The same for the output schema; `undefined` when there is none. */
  get outputIntake(): IntakeReport | undefined {
    return this.#parts.sealed.output?.intake;
  }

  /**
   * Admits a proposal or says why not: name, id, completeness, strict JSON, object root, defaults, schema, validator.
   * Neither runs the tool nor asks a policy. Never throws for what a model proposed, whatever it is made of.
   */
  prepare(call: ToolCall): Prepared {
    const prepared = this.#prepare(call);
    if (prepared.ok) Object.freeze(prepared.invocation);
    return prepared;
  }

  /**
   * Checks a successful result against the output schema, which needs `structured` when there is one.
   *
   * @returns What is wrong, for diagnosis; `undefined` when the result may be used.
   */
  checkOutput(output: ToolOutput): readonly Issue[] | undefined {
    const schema = this.#parts.sealed.output;
    if (schema === undefined) return undefined;
    const value = output.structured;
    if (value === undefined) return MISSING_STRUCTURED;
    return schema.check(value) ? undefined : schema.explain(value);
  }

  #prepare(call: ToolCall): Prepared {
    let id: unknown, name: unknown, text: unknown, complete: unknown;
    try {
      ({ id, name, arguments: text, complete } = call);
    } catch (cause) {
      return no(refuse('arguments_malformed', cause));
    }
    if (name !== this.definition.name) return no(refuse('tool_unavailable'));
    if (!isCallId(id)) return no(refuse('call_id_invalid'));
    if (complete !== undefined && complete !== true) return no(refuse('call_incomplete'));
    if (typeof text !== 'string') return no(refuse('arguments_malformed'));
    try {
      return this.#read(id, text);
    } catch (cause) {
      // Only what was injected can throw here, such as a pattern engine.
      return no(refuse('validator_defect', cause));
    }
  }

  #read(callId: string, text: string): Prepared {
    const { limits, sealed } = this.#parts;
    let value: JsonValue;
    try {
      value = this.#readText(text);
    } catch (error) {
      return no(JsonError.is(error) ? refuseText(error, limits) : refuse('validator_defect', error));
    }
    if (!isJsonObject(value)) return no(refuseRoot(value));
    const filled = sealed.input.applyDefaults(value);
    if (!sealed.input.check(value)) return no(refuseIssues(sealed.input.explain(value)));
    return this.#validate(callId, text, value, this.#shareFilled(filled));
  }

  /** Mostly defaults fill in the same as before, and then one frozen list serves for both. */
  #shareFilled(filled: readonly string[]): readonly string[] {
    if (filled.length === 0) return NOTHING_FILLED;
    if (!isSameList(filled, this.#filled)) this.#filled = Object.freeze(filled);
    return this.#filled;
  }

  #readText(text: string): JsonValue {
    const { limits, sealed } = this.#parts;
    this.#names ??= toFlatNames(namesOf(sealed.definition.inputSchema));
    return readArguments(text, limits, this.#names);
  }

  #validate(callId: string, text: string, value: JsonObject, filled: readonly string[]): Prepared {
    const { validator } = this.#source;
    if (validator === undefined) {
      return {
        ok: true,
        invocation: admitInvocation(this.#source, { callId, text, value, filled, input: TAKEN }),
      };
    }
    const run = runValidator(validator, value);
    if (run.kind === 'defect') return no(refuse('validator_defect', run.cause));
    if (run.kind === 'invalid') return no(refuseIssues(run.issues));
    // Read again: the validator may have changed what it was given, and returned that.
    const written = this.#source.read(text);
    const normal = normalForm(written, run.value, validator, this.#look, text.length);
    if (normal === TOO_COSTLY) return no(refuseIssues(explainGivenUp('budget')));
    const admission =
      normal === undefined
        ? { callId, text, value: written, filled, input: run.value }
        : { callId, text: normal, value: undefined, filled, input: run.value };
    return { ok: true, invocation: admitInvocation(this.#source, admission) };
  }
}

const MISSING_STRUCTURED: readonly Issue[] = Object.freeze([
  Object.freeze({
    pointer: '',
    keyword: 'outputSchema',
    expected: 'a structured result',
    actual: 'none',
    message: 'The tool declares an output schema and gave no structured result.',
  }),
]);

function no(error: CallRefusal): Prepared {
  return { ok: false, error };
}

function namesOf(schema: JsonObject): readonly string[] {
  return entriesMember(schema, 'properties').map(([name]) => name);
}

function isSameList(list: readonly string[], other: readonly string[]): boolean {
  return list.length === other.length && list.every((item, index) => item === other[index]);
}

/**
 * Makes a contract of checked parts.
 * @internal
 */
export function makeContract(parts: ContractParts): Contract {
  return make(parts);
}

/**
 * `contract.prepare` for the gate: the invocation is not frozen yet, which would be a tenth of a small call. Whoever hands it
 * out freezes it first.
 * @internal
 */
export function prepareUnfrozen(contract: Contract, call: ToolCall): Prepared {
  return prepareOwn(contract, call);
}

/**
 * Whether this very contract admitted the invocation.
 * @internal
 */
export function contractSource(contract: Contract): InvocationSource {
  return sourceOf(contract);
}
