import {
  generateText,
  isStepCount,
  type JSONSchema7,
  jsonSchema,
  type LanguageModel,
  type ToolSet,
  tool,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type {
  CallReport,
  CorpusAdapter,
  CorpusSetup,
  CorpusTool,
  Verdict,
} from '../corpus/corpus-adapter.ts';
import { formatCorpusReport } from '../corpus/corpus-report.ts';
import { readCorpus } from '../corpus/read-corpus.ts';
import { runCorpus } from '../corpus/run-corpus.ts';

/** What one case is run with. */
interface Sdk {
  readonly tools: ToolSet;
  readonly setup: CorpusSetup;
}

type Calls = Parameters<CorpusAdapter<Sdk>['execute']>[1];

// The SDK takes JSON Schema without enforcing it; its documentation asks for a validator, so it gets a common one.
const ajv = new Ajv2020({ strict: false, ownProperties: true, logger: false, addUsedSchema: false });

function toSdkTool({ definition, execute }: CorpusTool): ToolSet[string] {
  const check = ajv.compile<unknown>(Object(definition.inputSchema));
  return tool({
    description: definition.description,
    inputSchema: jsonSchema<unknown>(definition.inputSchema as JSONSchema7, {
      validate: (value) =>
        check(value)
          ? { success: true, value }
          : { success: false, error: new Error(ajv.errorsText(check.errors)) },
    }),
    execute: async (input: unknown, { abortSignal }) => execute(input, { signal: abortSignal }),
  });
}

/** A model that proposes these calls in its first turn, and hands on what it reads in its second. */
function proposing(calls: Calls, read: (prompt: readonly unknown[]) => void): LanguageModel {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const cut = calls.some(({ complete }) => complete === false);
  const reason = cut ? ('length' as const) : ('tool-calls' as const);
  let turns = 0;
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      turns += 1;
      if (turns === 1) {
        const content = calls.map(({ id, name, arguments: input }) => ({
          type: 'tool-call' as const,
          toolCallId: id,
          toolName: name,
          input,
        }));
        return { content, finishReason: { unified: reason, raw: reason }, usage, warnings: [] };
      }
      read(prompt);
      const text = { type: 'text' as const, text: 'done' };
      return { content: [text], finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] };
    },
  });
}

const offered = ({ tools, setup: { policy } }: Sdk): readonly string[] =>
  Object.keys(tools).filter(
    (name) =>
      policy.deny?.includes(name) !== true && (policy.allow === undefined || policy.allow.includes(name)),
  );

/** Authorizer and approver both become the SDK's approval of one call. */
async function decide(
  { setup }: Sdk,
  name: string,
  input: unknown,
): Promise<'approved' | 'denied' | 'user-approval'> {
  const item = setup.tools.find(({ definition }) => definition.name === name);
  const request = { arguments: input };
  if (item?.authorize !== undefined && (await item.authorize(request)) !== true) return 'denied';
  if (setup.policy.approver === undefined) return 'approved';
  const answer: unknown = await setup.approve(request);
  const decision: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'decision') : answer;
  if (decision === 'defer') return 'user-approval';
  return decision === 'allow' ? 'approved' : 'denied';
}

/** Everything that a message of the tool role says about each call, by id. */
function toldById(prompt: readonly unknown[]): ReadonlyMap<unknown, string> {
  const told = new Map<unknown, string>();
  for (const message of prompt) {
    const content: unknown = Reflect.get(Object(message), 'content');
    if (Reflect.get(Object(message), 'role') !== 'tool' || !Array.isArray(content)) continue;
    for (const part of content) {
      const output: unknown = Reflect.get(Object(part), 'output');
      const value: unknown =
        Reflect.get(Object(output), 'value') ?? Reflect.get(Object(output), 'reason') ?? '';
      told.set(
        Reflect.get(Object(part), 'toolCallId'),
        typeof value === 'string' ? value : JSON.stringify(value),
      );
    }
  }
  return told;
}

const aiSdk: CorpusAdapter<Sdk> = {
  name: 'ai 7.0.173',
  supports: [
    'turn',
    'incomplete',
    'cancel',
    'timeout',
    'scope',
    'authorizer',
    'approval',
    'approval-defer',
    'advertise',
  ],
  register: (setup) => ({
    setup,
    tools: Object.fromEntries(setup.tools.map((item) => [item.definition.name, toSdkTool(item)])),
  }),
  advertised: (sdk) =>
    sdk.setup.tools.map(({ definition }) => definition).filter(({ name }) => offered(sdk).includes(name)),
  execute: async (sdk, calls) => {
    let told: ReadonlyMap<unknown, string> = new Map();
    const timeouts = sdk.setup.tools.flatMap(({ definition, spec }) =>
      typeof spec.timeoutMs === 'number' ? [[`${definition.name}Ms`, spec.timeoutMs]] : [],
    );
    const { steps } = await generateText({
      model: proposing(calls, (prompt) => {
        told = toldById(prompt);
      }),
      prompt: 'Go on.',
      tools: sdk.tools,
      activeTools: [...offered(sdk)],
      stopWhen: isStepCount(2),
      maxRetries: 0,
      abortSignal: sdk.setup.signal,
      timeout: { tools: Object.fromEntries(timeouts) },
      toolApproval: ({ toolCall }) => decide(sdk, toolCall.toolName, toolCall.input),
    });
    const parts = steps[0]?.content ?? [];
    return calls.map(({ id }): CallReport => {
      const of = (type: string) =>
        parts.find((part) => part.type === type && 'toolCallId' in part && part.toolCallId === id);
      const invalid = Reflect.get(Object(of('tool-call')), 'invalid') === true;
      const asked = parts.some(
        (part) => part.type === 'tool-approval-request' && part.toolCall.toolCallId === id,
      );
      const answered = parts.some(
        (part) => part.type === 'tool-approval-response' && part.toolCall.toolCallId === id,
      );
      const verdict: Verdict =
        of('tool-result') !== undefined
          ? 'executed'
          : of('tool-error') !== undefined && !invalid
            ? 'failed'
            : asked && !answered
              ? 'suspended'
              : 'refused';
      return { verdict, modelText: told.get(id) ?? '' };
    });
  },
};

// Some cases are there to keep a system waiting, and this one keeps its own time.
test('the runner puts every case to the AI SDK, and says which it cannot express', {
  timeout: 180_000,
}, async () => {
  const cases = readCorpus();
  const report = await runCorpus(aiSdk, { cases, patienceMs: 200 });
  process.stdout.write(`${formatCorpusReport(report, 0)}\n`);
  expect(report.cases.map(({ id }) => id)).toEqual(cases.map(({ id }) => id));
  expect(report.total.unsupported).toBeGreaterThan(0);
  expect(report.total.unsupported).toBeLessThan(cases.length);
  for (const { score, faults, missing } of report.cases) {
    expect(score === 'unsupported').toBe(missing.length > 0);
    expect(score === 'strict' || score === 'unsupported').toBe(faults.length === 0);
  }
});
