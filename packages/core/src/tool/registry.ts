import { type Binding, bind } from './binding.ts';
import { ContractError } from './contract-error.ts';
import type { ContractOptions } from './define-contract.ts';
import type { Tool } from './tool.ts';
import type { ToolDefinition } from './tool-definition.ts';
import { foldToolName } from './tool-name.ts';

/**
 * Tools by name, for one instance of an application: there is no global registry. An invocation belongs to the binding
 * that prepared it, so a call prepared for a tool that was removed or registered anew never runs on its successor.
 */
export class Registry<Context = unknown> {
  readonly #options: ContractOptions;
  readonly #byName = new Map<string, Binding<Context>>();
  /** Name by fold. */
  readonly #folds = new Map<string, string>();
  #generation = 0;

  /**
   * @param options - For every tool of this registry.
   * @throws {@link ContractError} as `register`.
   */
  constructor(tools: readonly Tool<Context>[] = [], options: ContractOptions = {}) {
    this.#options = Object.freeze({ ...options });
    if (tools.length > 0) this.register(...tools);
  }

  /**
   * Binds and adds tools: all of them, or none when one is refused.
   *
   * @throws {@link ContractError} `tool/name-duplicate`; `tool/name-confusable` for a name that differs from another
   * one only by letter case or by `-` for `_`; and what `bind` throws.
   */
  register(...tools: readonly Tool<Context>[]): void {
    if (tools.length === 0) return;
    const batch = new Map<string, Binding<Context>>();
    const folds = new Map<string, string>();
    for (const tool of tools) {
      const binding = bind(tool, this.#options);
      const { name } = binding.contract.definition;
      const fold = foldToolName(name);
      const other = this.#folds.get(fold) ?? folds.get(fold);
      if (other !== undefined) throw taken(name, other);
      batch.set(name, binding);
      folds.set(fold, name);
    }
    for (const [name, binding] of batch) this.#byName.set(name, binding);
    for (const [fold, name] of folds) this.#folds.set(fold, name);
    this.#generation++;
  }

  /** The binding of exactly this name. Safe for names that a model made up. */
  resolve(name: string): Binding<Context> | undefined {
    return this.#byName.get(name);
  }

  /** Takes a tool out; `false` when there is none. Bindings that were resolved before still work. */
  remove(name: string): boolean {
    if (!this.#byName.delete(name)) return false;
    this.#folds.delete(foldToolName(name));
    this.#generation++;
    return true;
  }

  /** What a model may be shown, sorted by name; a snapshot of frozen definitions. */
  definitions(): readonly ToolDefinition[] {
    const sorted = this.bindings().map(({ contract }) => contract.definition);
    return Object.freeze(sorted.sort((left, right) => (left.name < right.name ? -1 : 1)));
  }

  /** In the order of registration; a snapshot. */
  bindings(): Binding<Context>[] {
    return [...this.#byName.values()];
  }

  /** How many tools there are. */
  get size(): number {
    return this.#byName.size;
  }

  /** Grows with each change of what is registered. */
  get generation(): number {
    return this.#generation;
  }
}

function taken(name: string, other: string): ContractError {
  if (name === other) return new ContractError('tool/name-duplicate', `There is a tool "${name}" already.`);
  return new ContractError('tool/name-confusable', `The tool "${name}" looks like "${other}"; rename one.`);
}
