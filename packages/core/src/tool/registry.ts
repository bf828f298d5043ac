import type { Binding } from './binding.ts';
import type { ContractOptions } from './contract.ts';
import type { Tool } from './tool.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** Tools by name; one instance, no global. */
export declare class Registry<Context = unknown> {
  constructor(tools?: readonly Tool<Context>[], options?: ContractOptions);
  /** All or none. @throws `tool/name-duplicate`, `tool/name-confusable`, and what `bind` throws. */
  register(...tools: readonly Tool<Context>[]): void;
  resolve(name: string): Binding<Context> | undefined;
  remove(name: string): boolean;
  /** Frozen, sorted by name. */
  definitions(): readonly ToolDefinition[];
  /** In order of registration. */
  bindings(): readonly Binding<Context>[];
  get size(): number;
  /** Grows with each change. */
  get generation(): number;
}
