import type { JsonObject } from '@toolgate/core';
import type { ModelCall, ModelTool, ResponseFormat, ToolChoice } from '../call/model-call.ts';
import type { Loss } from '../codec/loss.ts';
import { guardHistory } from '../history/guard-history.ts';
import type { HistoryProfile } from '../history/history-profile.ts';
import { ModelError } from '../model-error.ts';
import { createNameMap, type NameRule } from '../naming/name-map.ts';
import { renameCall } from '../naming/rename-call.ts';
import { type ProjectedFormat, projectFormat } from '../projection/project-format.ts';
import { projectSchema, type SchemaProjection } from '../projection/project-schema.ts';
import { type ProjectedTools, projectTools } from '../projection/project-tools.ts';
import type { SchemaProfile } from '../projection/schema-profile.ts';
import type { SchemaTarget } from '../projection/schema-profiles.ts';
import { type AnswerRestorer, createAnswerRestorer } from './restore-answer.ts';
import { fitService, serviceRules } from './service-rules.ts';

/** A call in the form that one endpoint accepts, and the way back. */
export interface PreparedCall {
  readonly call: ModelCall;
  readonly losses: readonly Loss[];
  /** Makes the undoing of names and schemas for one answer. */
  readonly createRestorer: () => AnswerRestorer;
}

/** Gives calls a form that the provider does not refuse. */
export type CallPreparer = (call: ModelCall) => PreparedCall;

/** What an endpoint accepts. */
export interface CallRules {
  readonly history: HistoryProfile;
  readonly schemas: SchemaTarget | SchemaProfile | 'as-written';
  readonly names: NameRule;
  /** Where it is. Some services that speak a wire are known to refuse or to ignore a part of it, which they get otherwise. */
  readonly baseUrl?: URL;
}

/**
 * Makes the preparer for one endpoint: history guarded, schemas of tools and of the answer projected onto what it accepts,
 * tool names given the form of its wire. Projections of frozen schemas are kept, so that a run pays for them once.
 *
 * Calls throw ModelError `model/not-encodable` for what cannot be said, `model/history-invalid` for a broken history.
 */
export function createCallPreparer({ history, schemas, names, baseUrl }: CallRules): CallPreparer {
  const project = schemas === 'as-written' ? undefined : createProjector(schemas);
  const service = baseUrl === undefined ? undefined : serviceRules(history.protocol, baseUrl);
  const profile: HistoryProfile = service?.ids === undefined ? history : { ids: service.ids, ...history };
  return (given) => {
    const { value: call, losses: unfit } =
      service === undefined ? { value: given, losses: [] } : fitService(given, service);
    const guarded = guardHistory(call.items, profile);
    const projected = call.tools ? project?.tools(call.tools) : undefined;
    const format = call.responseFormat ? project?.format(call.responseFormat) : undefined;
    const losses: Loss[] = [
      ...unfit,
      ...guarded.losses,
      ...(projected?.losses ?? []),
      ...(format?.losses ?? []),
    ];
    const offered: ModelCall = {
      ...call,
      items: guarded.value,
      ...(projected === undefined
        ? {}
        : { tools: projected.tools, ...withChoice(call.toolChoice, projected, losses) }),
      ...(format === undefined ? {} : { responseFormat: format.format }),
    };
    const nameMap = createNameMap(toolNames(offered), names);
    const renamed = renameCall(offered, { names: nameMap });
    return {
      call: renamed.value,
      losses: [...losses, ...renamed.losses],
      createRestorer: () => createAnswerRestorer(nameMap, projected, format),
    };
  };
}

interface Projector {
  tools(tools: readonly ModelTool[]): ProjectedTools;
  format(format: ResponseFormat): ProjectedFormat;
}

function createProjector(target: SchemaTarget | SchemaProfile): Projector {
  const kept = new WeakMap<JsonObject, SchemaProjection>();
  const project = (schema: JsonObject): SchemaProjection => {
    const known = kept.get(schema);
    if (known !== undefined) return known;
    const projection = projectSchema(schema, target);
    // Contracts freeze their schemas; one that can still change is projected each time.
    if (Object.isFrozen(schema)) kept.set(schema, projection);
    return projection;
  };
  const formats = new WeakMap<ResponseFormat, ProjectedFormat>();
  return {
    tools: (tools) => projectTools(tools, target, project),
    format(format) {
      const projected = formats.get(format) ?? projectFormat(format, target);
      const isFixed =
        Object.isFrozen(format) && (format.kind !== 'json-schema' || Object.isFrozen(format.schema));
      if (isFixed) formats.set(format, projected);
      return projected;
    },
  };
}

/** The choice without tools that are not offered; never wider than it was. */
function withChoice(
  choice: ModelCall['toolChoice'],
  { omitted }: ProjectedTools,
  losses: Loss[],
): { readonly toolChoice?: ToolChoice } {
  if (!choice || choice.mode === 'foreign' || omitted.length === 0) return {};
  const gone = new Set(omitted.map(({ name }) => name));
  if (choice.mode === 'named') {
    if (!gone.has(choice.name)) return {};
    throw new ModelError(
      'model/not-encodable',
      'The tool choice names a tool whose schema the provider would refuse.',
      { pointer: '/toolChoice' },
    );
  }
  const allowed = choice.allowed?.filter((name) => !gone.has(name));
  if (allowed === undefined || allowed.length === choice.allowed?.length) return {};
  losses.push({
    code: 'dropped',
    path: '/toolChoice/allowed',
    severity: 'warning',
    detail: 'a tool that is not offered cannot be allowed',
  });
  return { toolChoice: { ...choice, allowed } };
}

function toolNames({ tools, items }: ModelCall): ReadonlySet<string> {
  const names = new Set<string>();
  for (const tool of tools ?? []) if (tool.kind === 'function') names.add(tool.name);
  for (const item of items) {
    if ((item.kind === 'tool-call' || item.kind === 'tool-result') && item.name !== undefined)
      names.add(item.name);
  }
  return names;
}
