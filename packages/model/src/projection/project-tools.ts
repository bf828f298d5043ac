import type { JsonObject } from '@toolgate/core';
import type { FunctionTool, ModelTool } from '../call/model-call.ts';
import type { Loss } from '../codec/loss.ts';
import { projectSchema, type SchemaProjection } from './project-schema.ts';
import { restoreText } from './restore-text.ts';
import type { SchemaProfile } from './schema-profile.ts';
import type { SchemaTarget } from './schema-profiles.ts';

/** A tool that one endpoint would refuse; sending it would make the whole request fail. */
export interface OmittedTool {
  readonly name: string;
  /** A fixed phrase. */
  readonly reason: string;
}

/** The tools of one call as one endpoint may see them. */
export interface ProjectedTools {
  readonly tools: readonly ModelTool[];
  readonly omitted: readonly OmittedTool[];
  /** Paths begin with `/tools/<index>/parameters` in the list as given. */
  readonly losses: readonly Loss[];
  /**
   * Argument text that a model wrote for a projected tool, as the tool's own schema means it. The text itself comes back
   * when nothing has to change, when it is not strict JSON, and for a tool that is not in the list.
   */
  readonly restoreArguments: (name: string, argumentsText: string) => string;
  /** Whether `restoreArguments` can change the argument text of a tool. */
  readonly restores: (name: string) => boolean;
}

/**
 * Projects the schemas of all tools. One that does not fit is left out with a reason, the others still work. For a
 * strict endpoint `strict` says tool by tool whether its schema is within the strict rules.
 *
 * @param project - For somebody who keeps projections; the default computes them anew.
 */
export function projectTools(
  tools: readonly ModelTool[],
  target: SchemaTarget | SchemaProfile,
  project: (schema: JsonObject) => SchemaProjection = (schema) => projectSchema(schema, target),
): ProjectedTools {
  const kept: ModelTool[] = [];
  const omitted: OmittedTool[] = [];
  const losses: Loss[] = [];
  const projections = new Map<string, SchemaProjection>();
  tools.forEach((tool, index) => {
    if (tool.kind === 'foreign' || !tool.parameters) {
      kept.push(tool);
      return;
    }
    const projection = project(tool.parameters);
    for (const loss of projection.losses) losses.push(relocate(loss, `/tools/${index}/parameters`));
    if (projection.fit === 'unfit') {
      const [last] = projection.losses.filter(({ code }) => code === 'refused');
      omitted.push(Object.freeze({ name: tool.name, reason: last?.detail ?? 'the schema does not fit' }));
      return;
    }
    projections.set(tool.name, projection);
    kept.push(withSchema(tool, projection, isStrict(target)));
  });
  return Object.freeze({
    tools: Object.freeze(kept),
    omitted: Object.freeze(omitted),
    losses: Object.freeze(losses),
    restoreArguments: (name: string, argumentsText: string) => {
      const projection = projections.get(name);
      return projection === undefined ? argumentsText : restoreText(argumentsText, projection);
    },
    restores: (name: string) => projections.get(name)?.restores === true,
  });
}

function isStrict(target: SchemaTarget | SchemaProfile): boolean {
  return typeof target === 'string' ? target.endsWith('-strict') : target.strict !== undefined;
}

function withSchema(tool: FunctionTool, { schema, fit }: SchemaProjection, strict: boolean): FunctionTool {
  return Object.freeze({ ...tool, parameters: schema, ...(strict ? { strict: fit === 'strict' } : {}) });
}

function relocate(loss: Loss, prefix: string): Loss {
  return Object.freeze({ ...loss, path: `${prefix}${loss.path}` });
}
