import type { Digest } from '../json/digest.ts';
import type { ToolOutput } from '../tool/tool-output.ts';

/** A result that is too large for the model, with where it came from. */
export interface StoredResult {
  readonly sessionId: string;
  readonly callId: string;
  readonly tool: string;
  readonly contractDigest: Digest;
  readonly principal?: string;
  /** The whole result, before redaction and cutting. It is the application's own data. */
  readonly output: ToolOutput;
}

/** Keeps whole results, so that data can move between tools without passing through the model. The application's own. */
export interface ResultStore {
  /**
   * @returns A handle that the model may see and another tool may accept: 1 to 200 printable ASCII characters without
   * spaces, hard to guess. A throw or anything else means that the result was not kept; the call goes on without it.
   */
  readonly put: (result: StoredResult) => string | Promise<string>;
}
