import type { InferInput, InferOutput } from '../schema/input/infer.ts';
import type { InputSource } from '../schema/input/input.ts';
import type { Profile, ResultBudget } from './profile.ts';
import type { CallContext } from './tool.ts';
import type { ToolAnnotations } from './tool-definition.ts';
import type { ToolOutput } from './tool-output.ts';

/** A value that is only read: its lists may be readonly ones. Items apart, so that a type that holds itself has an end. */
type OnlyRead<Value> = unknown extends Value
  ? Value
  : Value extends readonly (infer Item)[]
    ? number extends Value['length']
      ? readonly OnlyRead<Item>[]
      : { readonly [Key in keyof Value]: OnlyRead<Value[Key]> }
    : { readonly [Key in keyof Value]: OnlyRead<Value[Key]> };

/** What a handler may return: anything that can be encoded, or what the declared output schema takes. */
export type ToolResult<Output> = Output extends object ? OnlyRead<InferInput<Output>> | ToolOutput : unknown;

/**
 * Everything that declares a tool. Read once and copied; the schemas are compiled. `Result` is what the handler does
 * return: a parameter of its own, so that a literal of the output schema stays a literal in the handler.
 */
export interface ToolConfig<
  Source extends InputSource,
  Context,
  Output extends InputSource | undefined,
  Result extends ToolResult<Output> = ToolResult<Output>,
> {
  /** 1 to 64 characters of `A-Z a-z 0-9 _ -`. */
  readonly name: string;
  /** What the tool does and when to use it, for the model; at most 32 KiB. */
  readonly description: string;
  /** A name for people. */
  readonly title?: string;
  /**
   * The arguments, an object: a schema of Zod 4, ArkType, Valibot (wrapped in `toStandardJsonSchema`), TypeBox, or plain
   * JSON Schema. The handler gets what it infers to, with defaults and transforms applied.
   */
  readonly input: Source;
  /** The structured result, where there is one; its JSON Schema is advertised and enforced. */
  readonly output?: Output;
  readonly annotations?: ToolAnnotations;
  /** Class, resource key, timeout. Default: unclassified, 10 minutes. */
  readonly profile?: Profile;
  /** Needs an explicit allow in the scope. Default `false`. */
  readonly privileged?: boolean;
  readonly resultBudget?: ResultBudget;
  /** Whether the tool is offered to this caller now. Observes only; it authorises nothing. Default: always. */
  readonly available?: (context: Context) => boolean | Promise<boolean>;
  /** Members that the input schema does not name. Default: refused for a library's schema, as written for JSON Schema. */
  readonly unknownMembers?: 'refuse' | 'allow';
  /** UTF-8 bytes that the argument text may have. Default 1 MiB. */
  readonly maxArgumentBytes?: number | 'none';
  /**
   * Does the work. A string goes to the model unchanged, `undefined` is no content, a `ToolOutput` passes, and
   * everything else is encoded as JSON, strictly. Throw `ToolError` for text the model may read; every other text is
   * redacted.
   */
  readonly execute: (input: InferOutput<Source>, call: CallContext<Context>) => Result | Promise<Result>;
}
