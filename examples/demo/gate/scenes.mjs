// The calls that the demonstration makes, in order, as a model would propose them: argument text, nothing else.
import { recordedCall } from './recorded.mjs';

const area = recordedCall('simple_python_0');

/**
 * @typedef {{ readonly title: string, readonly name: string, readonly arguments: string }} Scene
 * @type {readonly Scene[]}
 */
export const scenes = [
  { title: 'a recorded call, admitted', ...area },
  {
    title: 'the same call with one member written twice',
    ...area,
    arguments: area.arguments.replace('{', '{"base":1000,'),
  },
  { title: 'a recorded call with numbers where lists belong', ...recordedCall('simple_python_72') },
  { title: 'a folder is listed', name: 'list_directory', arguments: '{"path":"/workspace/notes"}' },
  {
    title: 'a path that leads out of the sandbox',
    name: 'read_text_file',
    arguments: '{"path":"../etc/passwd"}',
  },
  {
    title: 'a file with a credential in it',
    name: 'read_text_file',
    arguments: '{"path":"/workspace/settings.ini"}',
  },
  {
    title: 'a write that needs a yes',
    name: 'write_file',
    arguments: '{"path":"/workspace/drafts/plan.md","content":"1. Test\\n2. Launch\\n"}',
  },
  {
    title: 'a write in the wrong place',
    name: 'write_file',
    arguments: '{"path":"/workspace/notes/launch.md","content":"# Launch\\nThursday.\\n"}',
  },
  {
    title: 'a message to the outside',
    name: 'slack_post_message',
    arguments: '{"channel_id":"C0DEMO","text":"We launch on Thursday!"}',
  },
  {
    title: 'a tool that the scope denies',
    name: 'move_file',
    arguments: '{"source":"/workspace/notes/launch.md","destination":"/workspace/launch.md"}',
  },
  { title: 'a tool that does not exist', name: 'delete_everything', arguments: '{}' },
  {
    title: 'a handler that fails with a secret in its error',
    name: 'tavily_search',
    arguments: '{"query":"launch checklists"}',
  },
  {
    title: 'a handler that never answers',
    name: 'tavily_crawl',
    arguments: '{"url":"https://docs.example"}',
  },
];
