import type { JsonObject } from '@toolgate/core';
import type { FunctionTool } from '../call/model-call.ts';
import type { Protocol } from '../call/protocol.ts';
import { codecOf } from '../codec/codecs.ts';
import { isJsonArray, isJsonObject } from '../codec/wire-reader.ts';
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

/** Adds a tool behind the tools of a request. */
export function appendTool(
  protocol: Protocol,
  text: JsonText,
  body: Container<MemberSpan>,
  tool: FunctionTool,
): Splice {
  const wire = wireTool(protocol, tool);
  const legacy = memberAt(body, 'functions');
  if (protocol === 'openai-chat' && legacy !== undefined && kindAt(text, legacy.value) !== 'null') {
    throw impossible('it uses the legacy functions');
  }
  const tools = memberAt(body, 'tools');
  if (tools === undefined || kindAt(text, tools.value) === 'null') return setMember(body, 'tools', [wire]);
  const declared = protocol === 'gemini' ? intoDeclarations(text, tools.value, wire) : undefined;
  return declared ?? appendElement(text, tools.value, wire);
}

/** Forms of tools that nobody can change; a gateway offers the same one with every call. */
const written = new WeakMap<FunctionTool, Map<Protocol, JsonObject>>();

/** The tool as the codec of the protocol writes it. */
function wireTool(protocol: Protocol, tool: FunctionTool): JsonObject {
  const forms = written.get(tool) ?? (isFrozen(tool) ? new Map<Protocol, JsonObject>() : undefined);
  const wire = forms?.get(protocol) ?? encodeTool(protocol, tool);
  if (forms !== undefined) written.set(tool, forms.set(protocol, wire));
  return wire;
}

/** Whether a value is frozen to the last one in it. */
function isFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozen);
}

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
function intoDeclarations(text: JsonText, tools: Span, wire: JsonObject): Splice | undefined {
  const declared = wire['functionDeclarations'];
  const declaration = isJsonArray(declared) ? declared[0] : undefined;
  if (declaration === undefined) return undefined;
  for (const entry of arrayAt(text, tools.start).entries) {
    const known = objectAt(text, entry.start);
    const list = memberAt(known, 'functionDeclarations') ?? memberAt(known, 'function_declarations');
    if (list !== undefined && kindAt(text, list.value) === 'array') {
      return appendElement(text, list.value, declaration);
    }
  }
  return undefined;
}
