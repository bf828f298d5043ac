import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import type { FunctionTool, ModelCall, ToolChoice } from '../call/model-call.ts';
import type { Coded } from '../codec/codec.ts';
import { createLossLog, type LossLog } from '../codec/loss-log.ts';
import { ModelError } from '../model-error.ts';
import type { AiSdkRoute } from './ai-sdk-route.ts';
import { toPrompt } from './to-prompt.ts';

type Options = LanguageModelV4CallOptions;

const EFFORTS: ReadonlySet<string> = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

/**
 * A call as the options of a language model, without a signal.
 *
 * @throws ModelError `model/not-encodable` for a tool choice that would otherwise become wider.
 */
export function toCallOptions(call: ModelCall, route: AiSdkRoute): Coded<Options> {
  const losses = createLossLog();
  const value: Options = {
    prompt: toPrompt(call, route, losses),
    ...toTools(call, losses),
    ...toResponseFormat(call, losses),
    ...toSampling(call, losses),
    ...toReasoning(call, losses),
  };
  noteDropped(call, losses);
  return { value, losses: losses.losses };
}

function toTools({ tools, toolChoice }: ModelCall, losses: LossLog): Pick<Options, 'tools' | 'toolChoice'> {
  const allowed = allowedNames(toolChoice);
  if (allowed !== undefined)
    losses.add(
      'approximated',
      '/toolChoice/allowed',
      'warning',
      'a choice among some tools offers only those',
    );
  const offered = (tools ?? []).flatMap((tool, index) => {
    if (allowed?.has(tool.name) === false) return [];
    if (tool.kind === 'function') return [toTool(tool, `/tools/${index}`, losses)];
    losses.add('refused', `/tools/${index}`, 'error', 'a tool that only its own provider can run');
    return [];
  });
  const choice = toChoice(toolChoice, offered);
  return {
    ...(offered.length === 0 ? {} : { tools: offered }),
    ...(choice === undefined ? {} : { toolChoice: choice }),
  };
}

function toTool(tool: FunctionTool, path: string, losses: LossLog): LanguageModelV4FunctionTool {
  const { name, description, parameters, strict } = tool;
  if (!parameters)
    losses.add('synthesised', `${path}/parameters`, 'info', 'a tool without a schema takes an object here');
  if (tool.extensions !== undefined)
    losses.add('dropped', `${path}/extensions`, 'info', 'members of one protocol have no place here');
  return {
    type: 'function',
    name,
    // Our JSON Schema is theirs; only theirs is declared keyword by keyword.
    inputSchema: (parameters ?? {
      type: 'object',
      properties: {},
    }) as LanguageModelV4FunctionTool['inputSchema'],
    ...(description === undefined ? {} : { description }),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  };
}

function allowedNames(choice: ModelCall['toolChoice']): ReadonlySet<string> | undefined {
  if (!choice || choice.mode === 'named' || choice.mode === 'foreign' || choice.mode === 'none')
    return undefined;
  return choice.allowed === undefined ? undefined : new Set(choice.allowed);
}

function toChoice(
  choice: ToolChoice | null | undefined,
  offered: readonly LanguageModelV4FunctionTool[],
): Options['toolChoice'] {
  if (!choice) return undefined;
  const refuse = (message: string): never => {
    throw new ModelError('model/not-encodable', message, { pointer: '/toolChoice' });
  };
  switch (choice.mode) {
    case 'auto':
    case 'none':
      return { type: choice.mode };
    case 'any':
      return offered.length === 0
        ? refuse('The tool choice demands a tool and none is offered.')
        : { type: 'required' };
    case 'named':
      if (offered.some(({ name }) => name === choice.name)) return { type: 'tool', toolName: choice.name };
      return refuse('The tool choice names a tool that is not offered.');
    case 'foreign':
      return refuse('The tool choice belongs to another protocol.');
  }
}

function toResponseFormat({ responseFormat }: ModelCall, losses: LossLog): Pick<Options, 'responseFormat'> {
  if (!responseFormat || responseFormat.kind === 'text') return {};
  if (responseFormat.kind === 'json-object') return { responseFormat: { type: 'json' } };
  if (responseFormat.kind === 'foreign') {
    losses.add(
      'refused',
      '/responseFormat',
      'error',
      'a form of answer that only its own protocol understands',
    );
    return {};
  }
  const { schema, name, description, strict } = responseFormat;
  if (typeof strict === 'boolean')
    losses.add('dropped', '/responseFormat/strict', 'info', 'the provider decides how strict it is');
  return {
    responseFormat: {
      type: 'json',
      schema: schema as LanguageModelV4FunctionTool['inputSchema'],
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
    },
  };
}

function toSampling({ limits, sampling }: ModelCall, losses: LossLog): Partial<Options> {
  const { temperature, topP, topK, seed, frequencyPenalty, presencePenalty, stop, candidates } =
    sampling ?? {};
  if (typeof candidates === 'number' && candidates !== 1)
    losses.add('dropped', '/sampling/candidates', 'warning', 'there is one answer here');
  const given = {
    maxOutputTokens: limits?.maxOutputTokens,
    temperature,
    topP,
    topK,
    seed,
    frequencyPenalty,
    presencePenalty,
    stopSequences: stop ? [...stop] : undefined,
  };
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== null),
  );
}

function toReasoning({ reasoning }: ModelCall, losses: LossLog): Pick<Options, 'reasoning'> {
  if (!reasoning) return {};
  const { effort, budgetTokens, summary } = reasoning;
  if (typeof budgetTokens === 'number')
    losses.add('dropped', '/reasoning/budgetTokens', 'warning', 'there is an effort and no budget here');
  if (typeof summary === 'string')
    losses.add('dropped', '/reasoning/summary', 'info', 'the provider decides what it shows');
  if (typeof effort !== 'string') return {};
  if (isEffort(effort)) return { reasoning: effort };
  losses.add('dropped', '/reasoning/effort', 'warning', 'an effort without a word here');
  return {};
}

function isEffort(word: string): word is NonNullable<Options['reasoning']> {
  return EFFORTS.has(word);
}

function noteDropped(call: ModelCall, losses: LossLog): void {
  if (call.parallelToolCalls === false)
    losses.add(
      'dropped',
      '/parallelToolCalls',
      'warning',
      'several calls at once cannot be switched off here',
    );
  if (typeof call.previousResponseId === 'string')
    losses.add('dropped', '/previousResponseId', 'error', 'a stored answer cannot be continued here');
  if (typeof call.endUser === 'string')
    losses.add('dropped', '/endUser', 'info', 'the end user is not told here');
  if (call.extensions !== undefined)
    losses.add('dropped', '/extensions', 'info', 'members of one protocol have no place here');
}
