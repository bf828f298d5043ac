// Real definitions, as they were recorded, with handlers of our own.
import { bind, defineTool, ToolError } from '@toolgate/core';
import { recordedDefinition } from './recorded.mjs';
import { inside } from './workspace.mjs';

/**
 * The recorded definition of a tool together with a handler and a profile. What a definition says about itself is not
 * believed; the profile is ours.
 *
 * @param {string} name
 * @param {import('@toolgate/core').Profile} profile
 * @param {(input: any) => any} execute The contract checks the input, and the result where a schema for it was recorded.
 */
function recordedTool(name, profile, execute) {
  const { description, title, annotations, inputSchema, outputSchema } = recordedDefinition(name);
  return bind(
    defineTool({
      name,
      description,
      ...(title === undefined ? {} : { title }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(outputSchema === undefined ? {} : { output: outputSchema }),
      input: inputSchema,
      profile,
      execute,
    }),
    { trust: 'foreign' },
  );
}

/** @param {Map<string, string>} files */
export function createTools(files) {
  return [
    recordedTool('calculate_triangle_area', { class: 'read' }, ({ base, height }) => (base * height) / 2),
    recordedTool('calculate_fitness', { class: 'read' }, () => 'never reached: the recorded call is wrong'),
    recordedTool('list_directory', { class: 'read' }, ({ path }) => {
      const folder = `${inside(path)}/`;
      const names = [...files.keys()].filter((each) => each.startsWith(folder));
      return { content: names.map((name) => `[FILE] ${name.slice(folder.length)}`).join('\n') };
    }),
    recordedTool('read_text_file', { class: 'read' }, ({ path }) => {
      const content = files.get(inside(path));
      if (content === undefined) throw new ToolError('There is no such file.');
      return { content };
    }),
    recordedTool('write_file', { class: 'write', resourceKey: 'workspace' }, ({ path, content }) => {
      files.set(inside(path), content);
      return { content: `Wrote ${content.length} characters to ${path}.` };
    }),
    recordedTool('move_file', { class: 'write' }, () => ({ content: 'never reached: the scope denies it' })),
    recordedTool('slack_post_message', { class: 'external' }, ({ channel_id }) => `Posted to ${channel_id}.`),
    recordedTool('tavily_search', { class: 'read' }, () => {
      throw new Error('connect ECONNREFUSED 10.20.30.40:443 with key demo-key-0123456789');
    }),
    recordedTool('tavily_crawl', { class: 'read', timeoutMs: 80 }, () => new Promise(() => {})),
  ];
}
