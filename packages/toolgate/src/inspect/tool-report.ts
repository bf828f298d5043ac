import type { ExecutionClass, IntakeReport, ToolAnnotations, ToolDefinition } from '@toolgate/core';
import { type ProviderFitness, providerFitness, type ToolProvider } from '@toolgate/model';
import type { BoundDefinition } from '../definitions/bound-definition.ts';
import type { DefinitionFault } from '../definitions/definition-fault.ts';
import { findPatterns, type PatternReport } from './find-patterns.ts';
import { nameFaults } from './name-faults.ts';

/** The providers that a tool is judged for, in the order of the table. */
export const PROVIDERS: readonly ToolProvider[] = ['openai', 'anthropic', 'gemini'];

/** How a tool fits one provider. */
export interface FitnessReport {
  readonly verdict: ProviderFitness['verdict'];
  /** What the provider is told as the name. */
  readonly name: string;
  /** Whether the schema is within the strict mode of the provider, without it, or not usable. */
  readonly schema: ProviderFitness['schema']['fit'];
  readonly reasons: readonly string[];
}

/** All that is known about one tool without calling it. Plain JSON. */
export interface ToolReport {
  readonly name: string;
  readonly alias?: string;
  readonly form: BoundDefinition['form'];
  readonly class: ExecutionClass;
  readonly privileged: boolean;
  /** What the definition says about itself. Shown, never believed. */
  readonly hints?: ToolAnnotations;
  readonly contractDigest?: string;
  readonly input?: IntakeReport;
  readonly output?: IntakeReport;
  readonly patterns?: readonly PatternReport[];
  readonly fitness?: Readonly<Record<ToolProvider, FitnessReport>>;
  /** Why the tool cannot be used as it is. Empty when it can. */
  readonly faults: readonly DefinitionFault[];
}

/** Reports on each definition, in the same order. */
export function reportTools(definitions: readonly BoundDefinition[]): readonly ToolReport[] {
  const names = nameFaults(definitions);
  return definitions.map((definition) => {
    const nameFault = names.get(definition);
    return reportTool(definition, nameFault === undefined ? [] : [nameFault]);
  });
}

function reportTool(definition: BoundDefinition, found: readonly DefinitionFault[]): ToolReport {
  const { name, alias, form, privileged, contract, fault } = definition;
  const faults = [...found, ...(fault === undefined ? [] : [fault])];
  if (alias !== undefined) faults.push(ILLEGAL_NAME);
  const base = {
    name,
    ...(alias === undefined ? {} : { alias }),
    form,
    class: definition.class,
    privileged,
  };
  if (contract === undefined) return { ...base, faults };
  const { annotations, inputSchema } = contract.definition;
  return {
    ...base,
    ...(annotations === undefined ? {} : { hints: annotations }),
    contractDigest: contract.digest,
    input: contract.intake,
    ...(contract.outputIntake === undefined ? {} : { output: contract.outputIntake }),
    patterns: findPatterns(inputSchema),
    fitness: reportFitness(contract.definition, name),
    faults,
  };
}

const ILLEGAL_NAME: DefinitionFault = Object.freeze({
  code: 'tool/name-invalid',
  message: 'A tool name has 1 to 64 of the characters A-Z a-z 0-9 _ and -; an alias stands for it.',
});

function reportFitness(
  contracted: ToolDefinition,
  name: string,
): Readonly<Record<ToolProvider, FitnessReport>> {
  // The provider is asked about the name as written, not about what stands for it in the contract.
  const definition = { ...contracted, name };
  const judge = (provider: ToolProvider): FitnessReport => {
    const { verdict, name: told, schema, reasons } = providerFitness(definition, provider);
    return { verdict, name: told.wire, schema: schema.fit, reasons };
  };
  return { openai: judge('openai'), anthropic: judge('anthropic'), gemini: judge('gemini') };
}
