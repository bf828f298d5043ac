// A server on a pipe that behaves as its arguments and its tools say, mostly badly. Nothing but Node.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const flags = new Set(process.argv.slice(2));

if (flags.has('exit') || flags.has('chatty')) {
  process.stderr.write(`cannot open ${process.env['SERVER_TOKEN'] ?? ''}\u0007 token=hunter2hunter2\n`);
}
if (flags.has('exit')) process.exit(3);
if (flags.has('stubborn')) {
  process.on('SIGTERM', () => undefined);
  process.on('SIGINT', () => undefined);
  setInterval(() => undefined, 1_000);
}
if (flags.has('silent')) setInterval(() => undefined, 1_000);
if (flags.has('banner')) process.stdout.write('Welcome!\n{"not": "rpc"}\n[1,2\n\n');
const grandchild = flags.has('family')
  ? spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => 0); setInterval(() => 0, 1000)'], {
      stdio: 'inherit',
    })
  : undefined;

/** @param {object} message */
const oddly = (message) => {
  const result = 'result' in message ? Object(message.result) : undefined;
  const said = {
    ...message,
    ...(result === undefined ? { result } : { error: null, result: { ...result, _meta: null } }),
  };
  return [said, { jsonrpc: '2.0', method: 'notifications/message', params: [] }];
};
/** @param {object} message */
const write = (message) => {
  const said = JSON.stringify(flags.has('odd') ? oddly(message) : message);
  process.stdout.write(`${flags.has('mark') ? '\ufeff' : ''}${said}\n`);
};
/** @param {unknown} id @param {string} text */
const say = (id, text) => write({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
/** @param {string} text */
const endlessly = (text) => {
  const more = () => {
    while (process.stdout.write(text));
    process.stdout.once('drain', more);
  };
  more();
};

const TOOLS = [
  'echo',
  'pids',
  'die',
  'mute',
  'version',
  'stall',
  'long',
  'flood',
  'noise',
  'garbage',
  'requests',
  'answers',
  'twice',
  'nan',
  'last',
  'deaf',
];

/** What each tool does with the id of its call. @type {Record<string, (id: unknown) => void>} */
const behaviours = {
  echo: (id) => say(id, 'echo'),
  pids: (id) => say(id, JSON.stringify([process.pid, grandchild?.pid ?? 0])),
  die: () => process.exit(1),
  mute: () => process.stdout.end(() => setInterval(() => undefined, 1_000)),
  version: (id) =>
    write({ jsonrpc: '2.0', id, error: { code: -32022, message: 'Unsupported protocol version' } }),
  stall: () => undefined,
  deaf: () => {
    lines?.pause();
    setInterval(() => undefined, 1_000);
  },
  long: () => endlessly('x'.repeat(1_000_000)),
  flood: () =>
    endlessly(
      `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } })}\n`,
    ),
  noise: () => endlessly('no json\n'),
  requests: () => endlessly('{"jsonrpc":"2.0","id":"a","method":"ping"}\n'),
  answers: () => endlessly('{"jsonrpc":"2.0","id":99999,"result":{}}\n'),
  twice: (id) =>
    process.stdout.write(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"no","text":"yes"}]}}\n`,
    ),
  nan: (id) =>
    process.stdout.write(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":{"mean":NaN}}}\n`,
    ),
  last: (id) => {
    const result = { content: [{ type: 'text', text: 'last' }] };
    process.stdout.write(`\ufeff${JSON.stringify({ jsonrpc: '2.0', id, result })}`, () => process.exit(0));
  },
  garbage: (id) => {
    process.stdout.write(
      '{"jsonrpc":"1.0","id":1}\nnull\n{"jsonrpc":"2.0","id":{},"result":[]}\n\u0000\n"text"\n',
    );
    process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text"`);
    setImmediate(() => process.stdout.write(',"text":"after garbage"}]}}\r\n'));
  },
};

/** @param {{ id?: unknown, method?: string, params?: { name?: string, protocolVersion?: string } }} message */
const answer = ({ id, method, params }) => {
  if (id === undefined) return;
  if (method === 'initialize') {
    const serverInfo = { name: 'hostile', version: '1' };
    const capabilities = { tools: {} };
    write({
      jsonrpc: '2.0',
      id,
      result: { protocolVersion: params?.protocolVersion, capabilities, serverInfo },
    });
  } else if (method === 'tools/list') {
    write({
      jsonrpc: '2.0',
      id,
      result: { tools: TOOLS.map((name) => ({ name, inputSchema: { type: 'object' } })) },
    });
  } else if (method === 'tools/call') behaviours[params?.name ?? '']?.(id);
  else if (flags.has('fragile')) process.exit(2);
  else write({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
};

const lines = flags.has('silent') ? undefined : createInterface({ input: process.stdin });
lines?.on('line', (line) => answer(JSON.parse(line)));
if (lines === undefined) process.stdin.resume();
