import { ignoreThrown } from '../internal/ignore-thrown.ts';
import { ContractError } from './contract-error.ts';
import type { Tool } from './tool.ts';

/** Decorators that one chain may have. */
export const MAX_WRAPPERS = 64;

/** Whether a value has the two functions that make a tool. Safe on hostile values. */
export function isTool(value: unknown): value is Tool {
  try {
    return (
      typeof value === 'object' &&
      value !== null &&
      'definition' in value &&
      typeof value.definition === 'function' &&
      'call' in value &&
      typeof value.call === 'function'
    );
  } catch (thrown) {
    ignoreThrown(thrown);
    return false;
  }
}

/**
 * The tools of one wrapping chain, outermost first.
 *
 * @throws {@link ContractError} `tool/not-a-tool` for the value itself; `tool/wrapping-invalid` for a chain with a
 * cycle, more than 64 decorators, or an `unwrap` that is no function, throws, or gives no tool.
 */
export function unwrapChain<Context>(tool: Tool<Context>): readonly Tool<Context>[] {
  if (!isTool(tool)) {
    throw new ContractError(
      'tool/not-a-tool',
      'A tool needs the functions definition and call; use defineTool.',
    );
  }
  const chain: Tool<Context>[] = [tool];
  for (let inner = unwrap<Context>(tool); inner !== undefined; inner = unwrap(inner)) {
    if (chain.includes(inner)) throw invalid('The decorators of a tool form a cycle.');
    chain.push(inner);
    if (chain.length > MAX_WRAPPERS + 1) throw invalid(`A tool has more than ${MAX_WRAPPERS} decorators.`);
  }
  return chain;
}

function unwrap<Context>(tool: Tool<Context>): Tool<Context> | undefined {
  let inner: unknown;
  try {
    const method: unknown = tool.unwrap;
    if (method === undefined) return undefined;
    if (typeof method !== 'function') throw new TypeError('unwrap is not a function');
    inner = Reflect.apply(method, tool, []);
  } catch (cause) {
    throw invalid('The unwrap of a tool failed.', cause);
  }
  ignoreThrown(inner);
  if (!isTool(inner)) throw invalid('The unwrap of a tool gave something that is no tool.');
  return inner as Tool<Context>;
}

function invalid(message: string, cause?: unknown): ContractError {
  return new ContractError('tool/wrapping-invalid', message, { cause });
}

/**
 * Finds an optional capability on a tool or through its decorators; the outermost one wins.
 *
 * @param is - Tells whether one tool has the capability, for example `(tool) => 'profile' in tool`. What it throws
 * comes through.
 * @throws {@link ContractError} `tool/not-a-tool`, `tool/wrapping-invalid`
 */
export function capability<Context, Found extends Tool<Context>>(
  tool: Tool<Context>,
  is: (candidate: Tool<Context>) => candidate is Found,
): Found | undefined {
  for (const candidate of unwrapChain(tool)) if (is(candidate)) return candidate;
  return undefined;
}
