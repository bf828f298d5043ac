// `npm start`. With a terminal you decide about writes and messages; without one a written rule does, and nothing waits.
import process from 'node:process';
import { runDemo } from './run-demo.mjs';

const { stdin, stdout, env } = process;
const controller = new AbortController();
process.once('SIGINT', () => controller.abort());
// Whoever reads the output may go away: `npm start | head`.
stdout.on('error', () => process.exit(141));

const interactive = stdin.isTTY === true && stdout.isTTY === true;
try {
  await runDemo({
    print: (text) => stdout.write(text),
    colours: stdout.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
    signal: controller.signal,
    ...(interactive ? { terminal: { input: stdin, output: stdout } } : {}),
  });
} catch (error) {
  if (!controller.signal.aborted) throw error;
  process.exitCode = 130;
}
