import {
  type ContentBlock,
  type GetPromptResult,
  inputRequired,
  inputResponse,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import type { ServeExtension } from '../../src/serve/serve-extension.ts';
import { PNG } from './everything-gate.ts';

/** The resources and prompts that the conformance suite asks a server for. */
export const everythingExtension: ServeExtension = {
  capabilities: {
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  },
  register: ({ handle }) => {
    handle('resources/list', () => ({
      resources: [
        { uri: 'test://static-text', name: 'text', description: 'A text.', mimeType: 'text/plain' },
        { uri: 'test://static-binary', name: 'binary', description: 'An image.', mimeType: 'image/png' },
      ],
    }));
    handle('resources/templates/list', () => ({
      resourceTemplates: [
        { uriTemplate: 'test://template/{id}/data', name: 'template', description: 'Data.' },
      ],
    }));
    handle('resources/read', ({ params }) => readResource(params.uri));
    handle('resources/subscribe', () => ({}));
    handle('resources/unsubscribe', () => ({}));
    handle('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }));
    handle('prompts/list', () => ({
      prompts: PROMPTS.map(([name, description, args]) => listed(name, description, args)),
    }));
    handle('prompts/get', ({ params }, { mcpReq }) => {
      if (params.name !== 'test_input_required_result_prompt')
        return getPrompt(params.name, params.arguments);
      const said = inputResponse(mcpReq.inputResponses, 'user_context');
      if (said.kind === 'elicit') return user({ type: 'text', text: `With ${JSON.stringify(said.content)}` });
      return inputRequired({
        inputRequests: {
          user_context: inputRequired.elicit({
            message: 'What context should the prompt use?',
            requestedSchema: {
              type: 'object',
              properties: { context: { type: 'string' } },
              required: ['context'],
            },
          }),
        },
      });
    });
  },
};

const PROMPTS: readonly (readonly [string, string, readonly string[]])[] = [
  ['test_simple_prompt', 'A simple prompt.', []],
  ['test_prompt_with_arguments', 'A prompt with arguments.', ['arg1', 'arg2']],
  ['test_prompt_with_embedded_resource', 'A prompt with a resource.', ['resourceUri']],
  ['test_prompt_with_image', 'A prompt with an image.', []],
  ['test_input_required_result_prompt', 'A prompt that asks.', []],
];

function listed(name: string, description: string, args: readonly string[]) {
  return {
    name,
    description,
    arguments: args.map((each) => ({ name: each, description: each, required: true })),
  };
}

function user(...content: readonly ContentBlock[]): GetPromptResult {
  return { messages: content.map((each) => ({ role: 'user', content: each })) };
}

function getPrompt(name: string, args: Readonly<Record<string, string>> = {}): GetPromptResult {
  switch (name) {
    case 'test_simple_prompt':
      return user({ type: 'text', text: 'This is a simple prompt for testing.' });
    case 'test_prompt_with_arguments':
      return user({
        type: 'text',
        text: `Prompt with arguments: arg1='${args['arg1']}', arg2='${args['arg2']}'`,
      });
    case 'test_prompt_with_embedded_resource':
      return user(
        {
          type: 'resource',
          resource: {
            uri: args['resourceUri'] ?? '',
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
        { type: 'text', text: 'Please process the embedded resource above.' },
      );
    case 'test_prompt_with_image':
      return user(
        { type: 'image', data: PNG, mimeType: 'image/png' },
        { type: 'text', text: 'Please analyze the image above.' },
      );
    default:
      throw new ResourceNotFoundError(name);
  }
}

function readResource(uri: string): ReadResourceResult {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  }
  switch (uri) {
    case 'test://static-text':
      return {
        contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
      };
    case 'test://static-binary':
      return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] };
    default:
      throw new ResourceNotFoundError(uri);
  }
}
