import OpenAI from 'openai';

/** Asks through a gateway as one would ask the provider. */
export async function ask(url: string, key: string, text: string): Promise<OpenAI.ChatCompletionMessage> {
  // #region client
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key });
  const completion = await client.chat.completions.create({
    model: 'assistant',
    messages: [{ role: 'user', content: text }],
    tools: [{ type: 'function', function: { name: 'send_mail', parameters: { type: 'object' } } }],
  });
  // #endregion
  const [choice] = completion.choices;
  if (choice === undefined) throw new Error('There is no answer.');
  return choice.message;
}
