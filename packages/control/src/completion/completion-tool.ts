import { type JsonValue, readJson } from '@toolgate/core';
import { DEFAULT_MAX_ARGS_BYTES, MAX_JSON_DEPTH } from '../bounds.ts';
import type { CompletedCall } from '../provider/completed-call.ts';
import type { ControlOutcome, ControlToolProvider } from '../provider/control-tool-provider.ts';
import { validateCompletedCall } from '../provider/validate-completed-call.ts';
import { validateMeta } from '../provider/validate-meta.ts';
import { resultFault } from '../provider/validate-outcome.ts';
import type { ControlSpec } from '../spec/control-spec.ts';

/** Asked about a result before it counts; `false` or a reason code refuses it. */
export type CompletionCheck = (
  result: string,
  ...rest: Tail<Parameters<ControlToolProvider['handle']>>
) => boolean | string | PromiseLike<boolean | string>;

type Tail<List extends readonly unknown[]> = List extends readonly [unknown, ...infer Rest] ? Rest : never;

/** Settings of the completion tool. */
export interface CompletionToolOptions {
  /**
   * A last look at a result that is well-formed: whether the task is done indeed. `true` accepts; `false` refuses with
   * `completion_refused`, a text with that reason code.
   */
  readonly check?: CompletionCheck;
}

const NAME = 'attempt_completion';

const SPEC: ControlSpec = Object.freeze({
  tool: Object.freeze({
    name: NAME,
    description: 'Ends the task and gives its final answer to the user.',
    parameters: Object.freeze({
      type: 'object',
      properties: Object.freeze({
        result: Object.freeze({
          type: 'string',
          description: 'The complete final answer, as the user shall read it.',
        }),
      }),
      required: Object.freeze(['result']),
      additionalProperties: false,
    }),
  }),
  instruction: Object.freeze({
    role: 'system',
    text:
      `When the task is finished and no other tool call is open, call ${NAME} alone, with the complete final answer ` +
      'as result. Do not call it together with other tools, and do not call it before the work is done.',
  }),
  maxArgsBytes: DEFAULT_MAX_ARGS_BYTES,
});

/**
 * The reference provider: a tool named `attempt_completion` with one text, `result`, that becomes the answer. Everything
 * but an object with exactly that member is `completion_invalid`.
 */
export function completionTool(options: CompletionToolOptions = {}): ControlToolProvider {
  const { check } = options;
  return Object.freeze({
    id: () => 'toolgate.completion',
    spec: () => SPEC,
    async handle(...given: Parameters<ControlToolProvider['handle']>) {
      const [call, meta, { signal }] = given;
      const { argsJson } = validateCompletedCall(call, DEFAULT_MAX_ARGS_BYTES);
      const from = validateMeta(meta);
      signal.throwIfAborted();
      const result = readResult(argsJson);
      if (result === undefined) return invalid('completion_invalid');
      const verdict = check === undefined ? true : await check(result, from, { signal });
      if (verdict === true) {
        return Object.freeze({ kind: 'complete', reasonCode: 'completion_complete', resultText: result });
      }
      return invalid(typeof verdict === 'string' ? verdict : 'completion_refused');
    },
  });
}

function invalid(reasonCode: string): ControlOutcome {
  return Object.freeze({ kind: 'invalid', reasonCode });
}

function readResult(argsJson: CompletedCall['argsJson']): string | undefined {
  let value: JsonValue;
  try {
    value = readJson(argsJson, { maxBytes: DEFAULT_MAX_ARGS_BYTES, maxDepth: MAX_JSON_DEPTH });
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const [member, ...more] = Object.entries(value);
  if (member === undefined || more.length > 0) return undefined;
  const [name, result] = member;
  return name === 'result' && typeof result === 'string' && resultFault(result) === undefined
    ? result
    : undefined;
}
