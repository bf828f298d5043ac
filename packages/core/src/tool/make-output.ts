import type { JsonValue } from '../json/json-value.ts';
import type { ToolOutput, ToolOutputData } from './tool-output.ts';

/** A result of one text, unchanged. @throws `tool/output-invalid` for a lone surrogate. */
export declare function textOutput(text: string): ToolOutput;
/** A result of one JSON value, encoded strictly. @throws `tool/output-invalid`, cause `JsonError`. */
export declare function jsonOutput(value: unknown): ToolOutput;
/** A result of any parts; validated, copied and frozen. @throws `tool/output-invalid` */
export declare function toolOutput(data: ToolOutputData): ToolOutput;
/** A string as text, an output as it is (checked again when it is of another copy). */
export declare function outputOf(value: ToolOutput | string): ToolOutput;
export declare function isToolOutput(value: unknown): value is ToolOutput;
/** The result without content. */
export declare function emptyOutput(): ToolOutput;
export type { JsonValue };
