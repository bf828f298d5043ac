// #region adapter
import { type CorpusAdapter, formatCorpusReport, readCorpus, runCorpus } from '@toolgate/testing';

// A loop as many are written: parse the text, look the tool up, run it, send back whatever comes.
const tools = new Map<string, (input: unknown) => unknown>();

async function answer(name: string, text: string): Promise<string> {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return JSON.stringify(await tool(JSON.parse(text)));
}

const plainParse: CorpusAdapter<void> = {
  name: 'a loop around JSON.parse',
  supports: ['turn'],
  register: (setup) => {
    tools.clear();
    for (const { definition, execute } of setup.tools) tools.set(definition.name, (input) => execute(input));
  },
  execute: (_system, calls) =>
    Promise.all(
      calls.map(async (call) => {
        try {
          return { verdict: 'executed' as const, modelText: String(await answer(call.name, call.arguments)) };
        } catch (error) {
          return { verdict: 'failed' as const, modelText: String(error) };
        }
      }),
    ),
};

const report = await runCorpus(plainParse, { cases: readCorpus(['arguments']) });
const table = formatCorpusReport(report, 3);
// #endregion

export const example = { report, table };
