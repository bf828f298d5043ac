import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { createAgent, tool as langchainTool } from 'langchain';
import { ANSWER, QUESTION, tool } from '../workload.mjs';

/** LangChain: `createAgent` and `invoke`. */
export function langchain({ turns }, script) {
  const { name, description, zod } = tool;
  const run = (input) => JSON.stringify(script.execute(input));
  const declared = langchainTool(run, { name, description, schema: zod });
  const agent = createAgent({ model: new ScriptedChat(script), tools: [declared] });
  return async () => {
    const recursionLimit = 2 * turns + 10;
    const { messages } = await agent.invoke({ messages: [new HumanMessage(QUESTION)] }, { recursionLimit });
    return messages.at(-1).content;
  };
}

/** The fake of the library itself joins the whole history in each turn, which would be charged to the loop. */
class ScriptedChat extends BaseChatModel {
  constructor(script) {
    super({});
    this.script = script;
  }

  _llmType() {
    return 'scripted';
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    const calls = this.script.next(messages);
    const text = calls.length === 0 ? ANSWER : '';
    const tool_calls = calls.map(({ id, name, text: args }) => ({ type: 'tool_call', id, name, args: JSON.parse(args) }));
    return { generations: [{ text, message: new AIMessage({ content: text, tool_calls }) }], llmOutput: {} };
  }
}
