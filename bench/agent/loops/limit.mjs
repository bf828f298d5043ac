import { Ajv2020 } from 'ajv/dist/2020.js';
import { ANSWER, QUESTION, tool } from '../workload.mjs';

/** What a loop costs by hand and without a single guard: parse, validate, call, stringify, push. */
export function limit({ turns }, script) {
  const validate = new Ajv2020().compile(tool.schema);
  const model = async (messages) => {
    const calls = script.next(messages);
    return calls.length === 0 ? { role: 'assistant', text: ANSWER } : { role: 'assistant', calls };
  };
  return async () => {
    const messages = [{ role: 'user', text: QUESTION }];
    for (let turn = 0; turn <= turns; turn++) {
      const answer = await model(messages);
      messages.push(answer);
      if (answer.calls === undefined) return answer.text;
      for (const { id, text } of answer.calls) {
        const input = JSON.parse(text);
        if (!validate(input)) throw new Error('invalid arguments');
        messages.push({ role: 'tool', id, text: JSON.stringify(script.execute(input)) });
      }
    }
    throw new Error('too many turns');
  };
}
