import process from 'node:process';
import { Writable } from 'node:stream';

/**
 * Takes standard output for the command alone. Whatever else in this process writes to it, such as `console.log` in a
 * module of tools, goes to the stream of errors: a client or a script reads the output message by message, and one line
 * that is none would break it.
 *
 * @returns What writes to standard output.
 */
export function ownStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const own = new Writable({
    write: (chunk: Uint8Array, _encoding, done) => {
      write(chunk, done);
    },
  });
  stdout.on('error', (cause) => own.destroy(cause));
  stdout.on('close', () => own.destroy());
  return own;
}
