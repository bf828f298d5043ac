import type { JsonObject } from '@toolgate/core';
import type { FunctionTool } from '@toolgate/model';

/** What a provider declares: one tool, one instruction and how long the arguments may be. */
export interface ControlSpec {
  readonly tool: ControlToolDeclaration;
  readonly instruction: ControlInstruction;
  /** Bytes of UTF-8 that the arguments may have, 1 to 65,536. Default 65,536. */
  readonly maxArgsBytes?: number;
}

/** The control tool as declared. Its bytes must not change between turns, or the provider's prompt cache is lost. */
export interface ControlToolDeclaration {
  /** At most 256 bytes; compared exactly, case included. */
  readonly name: string;
  /** At most 32 KiB. */
  readonly description?: string;
  /**
   * JSON Schema of an object, without `$ref`, at most 256 KiB and 64 levels: a value, or its JSON as text or bytes. The
   * order of its members is kept.
   */
  readonly parameters: JsonObject | string | Uint8Array;
}

/** The text that tells the model of the control tool. */
export interface ControlInstruction {
  readonly role: 'system' | 'developer';
  /** Not blank, at most 64 KiB, without U+0000. */
  readonly text: string;
}

/** A spec that was checked and copied: deeply frozen, and checked no second time. */
export interface CheckedControlSpec {
  readonly tool: FunctionTool & { readonly parameters: JsonObject };
  readonly instruction: ControlInstruction;
  readonly maxArgsBytes: number;
}
