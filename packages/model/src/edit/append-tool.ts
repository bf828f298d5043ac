import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { FunctionTool } from '../call/model-call.ts';
import type { Protocol } from '../call/protocol.ts';
import { codecOf } from '../codec/codecs.ts';
import { isJsonArray } from '../codec/wire-reader.ts';
import {
  arrayAt,
  type Container,
  impossible,
  kindAt,
  type MemberSpan,
  memberAt,
  objectAt,
  type Span,
} from './json-spans.ts';
import type { JsonText } from './json-text.ts';
import { appendElement, type Splice, setMember } from './splice.ts';
import { rememberForms, type WrittenJson, writeOnce } from './written-json.ts';

/** Adds a tool behind the tools of a request. */
export function appendTool(
  protocol: Protocol,
  text: JsonText,
  body: Container<MemberSpan>,
  tool: FunctionTool,
): readonly Splice[] {
  const { declaration, json, wire } = wireTool(protocol, tool);
  const legacy = memberAt(body, 'functions');
  if (protocol === 'openai-chat' && legacy !== undefined && kindAt(text, legacy.value) !== 'null') {
    throw impossible('it uses the legacy functions');
  }
  const tools = memberAt(body, 'tools');
  if (tools === undefined || kindAt(text, tools.value) === 'null') return [setMember(body, 'tools', [wire])];
  const declared = declaration && intoDeclarations(text, tools.value, declaration);
  return declared ?? appendElement(text, tools.value, json);
}

/** The tool as the codec of the protocol writes it. */
const wireTool = rememberForms((protocol, tool: FunctionTool) => {
  const wire = encodeTool(protocol, tool);
  const declared = protocol === 'gemini' ? wire['functionDeclarations'] : undefined;
  const declaration = isJsonArray(declared) ? declared[0] : undefined;
  return {
    wire,
    json: writeOnce(wire),
    declaration: declaration === undefined ? undefined : writeOnce(declaration),
  };
});

function encodeTool(protocol: Protocol, tool: FunctionTool): JsonObject {
  const { value } = codecOf(protocol).encodeRequest({
    model: 'model',
    items: [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text: '-' }] }],
    tools: [tool],
  });
  const tools = value.body['tools'];
  const wire = isJsonArray(tools) ? tools[0] : undefined;
  if (!isJsonObject(wire)) throw impossible('the tool has no form in this protocol');
  return wire;
}

/** Gemini keeps all functions in one entry; a second one with functions is refused by some models. */
function intoDeclarations(
  text: JsonText,
  tools: Span,
  declaration: WrittenJson,
): readonly Splice[] | undefined {
  for (const entry of arrayAt(text, tools.start).entries) {
    const known = objectAt(text, entry.start);
    const list = memberAt(known, 'functionDeclarations') ?? memberAt(known, 'function_declarations');
    if (list !== undefined && kindAt(text, list.value) === 'array') {
      return appendElement(text, list.value, declaration);
    }
  }
  return undefined;
}
