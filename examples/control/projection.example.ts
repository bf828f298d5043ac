import { ControlCapture, completionTool, project, reassert } from '@toolgate/control';
import { applyEdits, type ModelEvent, openaiChat } from '@toolgate/model';

const body = '{"model":"gpt-x","messages":[{"role":"user","content":"Hi"}],"seed":1.0,"x_own":true}';
const stream: readonly ModelEvent[] = [
  { kind: 'response-start', id: 'r', model: 'gpt-x' },
  { kind: 'call-start', index: 0, callId: 'c1', name: 'attempt_completion' },
  { kind: 'call-delta', index: 0, delta: '{"result":"Hello."}' },
  {
    kind: 'call-end',
    index: 0,
    callId: 'c1',
    name: 'attempt_completion',
    arguments: '{"result":"Hello."}',
  },
  { kind: 'response-end', finish: 'tool-calls' },
];

// #region parts
const { value: call } = openaiChat.decodeRequest(JSON.parse(body));
const spec = completionTool().spec();

// Once per candidate, before its size is measured.
const { call: projected, projection } = project(call, spec, new Set(['tools']));
// After the last reconstruction of the call, before it is sent: proved again, or refused.
const proved = reassert(projected, projection);
// On a route of the same protocol the client's own bytes are edited instead.
const edited = applyEdits('openai-chat', body, projection.edits);

// The answer: what belongs to the control tool goes no further.
const capture = new ControlCapture(projection);
const shown = stream.flatMap((event) => capture.push(event) ?? []);
const captured = capture.takeCompleted();

// #endregion

export { captured, edited, proved, shown };
