import {
  createGate,
  createScope,
  defineTool,
  type Gate,
  type JsonObject,
  type Profile,
  type Tool,
  ToolError,
  type ToolOutput,
  toolOutput,
} from '@toolgate/core';

/** One red pixel. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** No samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const READ: Profile = { class: 'read' };

function give(name: string, description: string, output: ToolOutput | string): Tool {
  return defineTool({ name, description, profile: READ, input: { type: 'object' }, execute: () => output });
}

/** What the suite's server scenarios about JSON Schema look at, word for word. */
const JSON_SCHEMA_INPUT: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const progress = defineTool({
  name: 'test_tool_with_progress',
  description: 'Reports how far it is.',
  profile: READ,
  input: { type: 'object' },
  execute: async (_input, call) => {
    for (const value of [0, 50, 100]) {
      call.progress?.({ progress: value, total: 100 });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return 'Done.';
  },
});

const failing = defineTool({
  name: 'test_error_handling',
  description: 'Always fails.',
  profile: READ,
  input: { type: 'object' },
  execute: () => {
    throw new ToolError('This tool intentionally returns an error for testing');
  },
});

/** Needs a yes of the person at the client. */
const approved = defineTool({
  name: 'test_input_required_result_tampered_state',
  description: 'Runs when somebody says so.',
  profile: { class: 'write' },
  input: { type: 'object' },
  execute: () => 'state-ok',
});

/** Wants one parameter in a header, too. */
const headers = defineTool({
  name: 'test_headers',
  description: 'Takes a parameter in a header.',
  profile: READ,
  input: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, query: { type: 'string' } },
    required: ['region'],
  },
  execute: (input) => JSON.stringify(input),
});

/**
 * The tools that the conformance suite asks a server for, as far as a gate has such tools.
 *
 * @param onTrigger - Called by the tool that is to change the list.
 */
export function everythingGate(onTrigger: () => void): Gate {
  return createGate({
    scope: createScope({ approvalThreshold: 'write', approve: () => 'defer' as const }),
    tools: [
      give('test_simple_text', 'Gives a text.', 'This is a simple text response for testing.'),
      give(
        'test_image_content',
        'Gives an image.',
        toolOutput({ parts: [{ kind: 'image', mediaType: 'image/png', data: PNG }] }),
      ),
      give(
        'test_audio_content',
        'Gives a sound.',
        toolOutput({ parts: [{ kind: 'audio', mediaType: 'audio/wav', data: WAV }] }),
      ),
      give(
        'test_embedded_resource',
        'Gives a resource.',
        toolOutput({
          parts: [
            {
              kind: 'file',
              uri: 'test://embedded-resource',
              mediaType: 'text/plain',
              text: 'This is an embedded resource content.',
            },
          ],
        }),
      ),
      give(
        'test_multiple_content_types',
        'Gives several things.',
        toolOutput({
          parts: [
            { kind: 'text', text: 'Multiple content types test:' },
            { kind: 'image', mediaType: 'image/png', data: PNG },
            {
              kind: 'file',
              uri: 'test://mixed-content-resource',
              mediaType: 'application/json',
              text: '{"test":"data","value":123}',
            },
          ],
        }),
      ),
      failing,
      progress,
      approved,
      headers,
      defineTool({
        name: 'test_trigger_tool_change',
        description: 'Changes the list of tools.',
        profile: READ,
        input: { type: 'object' },
        execute: () => {
          onTrigger();
          return 'Changed.';
        },
      }),
      defineTool({
        name: 'json_schema_2020_12_tool',
        description: 'Tool with JSON Schema 2020-12 features',
        profile: READ,
        input: JSON_SCHEMA_INPUT,
        execute: (input) => JSON.stringify(input),
      }),
    ],
  });
}
