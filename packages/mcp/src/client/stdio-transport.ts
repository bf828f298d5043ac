import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import {
  type JSONRPCMessage,
  SdkError,
  SdkErrorCode,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { McpError } from '../mcp-error.ts';
import { brokenAnswer } from './broken-answer.ts';
import { LineSplitter } from './line-splitter.ts';
import { groupOptions, signalTree, startGuard, type TreeGuard } from './process-tree.ts';
import { isMessage, readMessages } from './read-messages.ts';
import { TextTail } from './text-tail.ts';
import { answeredByText, unusableAnswer } from './unusable-answer.ts';

/** What is started, and how much it may say. */
export interface StdioOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Besides the few variables that every server gets (`PATH`, `HOME`, …). */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  readonly maxMessageBytes: number;
  /** How long a server has to end by itself before it is told to, and then before it is ended. */
  readonly closeGraceMs: number;
  /** Told of a message that is not taken, where that does not end the server. */
  readonly onRefused: (error: McpError) => void;
}

/** Bytes of the error output that are kept. */
const STDERR_BYTES = 8_192;
/** How long what an ended process has written may take to arrive. */
const DRAIN_MS = 250;
const BYTE_ORDER_MARK = '\ufeff';

/**
 * A server as a child process. Unlike the SDK's own transport it puts the server into a process group of its own and
 * ends the whole of it, also when this process dies; it does not wait for pipes that a grandchild holds; and its
 * buffer costs linear time.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** By these two members the SDK knows that one channel carries everything. */
  readonly stderr: null = null;
  readonly #options: StdioOptions;
  readonly #tail = new TextTail(STDERR_BYTES);
  #child: ChildProcess | undefined;
  #exited: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #ended = false;
  #end: string | undefined;
  #fault: unknown;

  constructor(options: StdioOptions) {
    this.#options = options;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** How the process ended, in a few words; `undefined` while it runs. */
  get end(): string | undefined {
    return this.#end;
  }

  /** What the server sent that could not be taken, where that ended it. */
  get fault(): unknown {
    return this.#fault;
  }

  /** The last of what the server wrote to its error output, as it is. */
  get stderrTail(): string {
    return this.#tail.text();
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#child !== undefined) throw new SdkError(SdkErrorCode.AlreadyConnected, 'Already started');
      const guard = startGuard();
      const child = this.#spawn(guard);
      const { pid } = child;
      if (pid === undefined) guard.callOff();
      else guard.watch(pid);
      this.#child = child;
      this.#exited = new Promise((exited) => {
        child.once('exit', () => exited());
        child.once('error', () => {
          // A process that could not be started has no exit.
          if (child.pid === undefined) exited();
        });
      });
      child.once('spawn', resolve);
      child.once('exit', () => {
        // Whatever it started and left behind in its group goes with it.
        if (pid !== undefined) signalTree(pid, 'SIGKILL');
        guard.callOff();
      });
      child.on('error', (error) => {
        this.#end ??= whyNotStarted(this.#options.cwd);
        reject(error);
        this.onerror?.(error);
        if (child.pid === undefined) this.#finish();
      });
      this.#listen(child);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const input = this.#child?.stdin;
      if (
        input === undefined ||
        input === null ||
        this.#ended ||
        this.#closing !== undefined ||
        !input.writable
      ) {
        throw new SdkError(SdkErrorCode.NotConnected, 'Not connected');
      }
      // A server that reads nothing is not written to for ever.
      if (input.writableLength > this.#options.maxMessageBytes)
        throw new SdkError(SdkErrorCode.NotConnected, 'The server does not read');
      input.write(serializeMessage(message), (error) => {
        if (error === null || error === undefined) resolve();
        else reject(error);
      });
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  /** Ends the process and all of its group at once, because what it sent cannot be taken. */
  #abandon(fault: unknown): void {
    this.#end ??= 'was ended';
    this.#fault = fault;
    const pid = this.#child?.pid;
    if (pid !== undefined) signalTree(pid, 'SIGKILL');
    this.#child?.stdout?.destroy();
    this.#finish();
  }

  /** A server that closed its output and goes on can answer nothing any more. */
  #lose(): void {
    if (this.#ended) return;
    this.#end ??= 'closed its output';
    void this.close();
    this.#finish();
  }

  #spawn(guard: TreeGuard): ChildProcess {
    const { command, args, env, cwd } = this.#options;
    try {
      return spawn(command, [...args], {
        ...groupOptions(),
        env: { ...getDefaultEnvironment(), ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
        ...(cwd === undefined ? {} : { cwd }),
      });
    } catch (error) {
      // A command that no system takes, such as one with a NUL in it.
      this.#end ??= whyNotStarted(cwd);
      guard.callOff();
      throw error;
    }
  }

  #listen(child: ChildProcess): void {
    const lines = new LineSplitter(this.#options.maxMessageBytes);
    const guarded = (take: () => void): void => {
      if (this.#ended) return;
      try {
        take();
      } catch (error) {
        this.#abandon(error);
      }
    };
    child.stdout?.on('data', (piece: Buffer) =>
      guarded(() => lines.push(piece, (line) => this.#take(unmarked(line)))),
    );
    child.stdout?.once('end', () =>
      guarded(() => {
        // The last line of a server that ends may lack its end; half of a message says nothing.
        const rest = unmarked(lines.end());
        if (rest !== '' && readMessages(rest) !== undefined) this.#take(rest);
        // Most servers end now, too, and how they do says more.
        setTimeout(() => this.#lose(), DRAIN_MS).unref();
      }),
    );
    child.stderr?.on('data', (piece: Buffer) => this.#tail.push(piece));
    for (const pipe of [child.stdin, child.stdout, child.stderr]) {
      pipe?.on('error', (error: Error) => this.onerror?.(error));
    }
    child.once('exit', (code, signal) => {
      this.#end ??= signal === null ? `ended with code ${code ?? 0}` : `was ended by ${signal}`;
      // A grandchild outside of the group may hold the pipes for ever.
      const drain = setTimeout(() => this.#finish(), DRAIN_MS);
      child.once('close', () => {
        clearTimeout(drain);
        this.#finish();
      });
    });
  }

  #take(line: string): void {
    if (this.#ended) return;
    const read = readMessages(line);
    if (McpError.is(read)) this.#refuse(read, line);
    else if (read === undefined) this.#giveUpOn(line);
    else {
      for (const message of read.messages) {
        if (isMessage(message)) this.onmessage?.(message);
        else this.onerror?.(new Error('A line is no message.'));
      }
    }
  }

  #refuse(fault: McpError, line: string): void {
    this.#options.onRefused(fault);
    // Whoever waits for it learns that it came, and that nobody can use it.
    const answered = answeredByText(line);
    if (answered === undefined) this.onerror?.(fault);
    else this.onmessage?.(unusableAnswer(answered));
  }

  /** Some lines are no messages at all, and some were meant to be one. */
  #giveUpOn(line: string): void {
    const broken = brokenAnswer(line);
    if (broken === undefined) {
      this.onerror?.(new Error('A line is no JSON.'));
      return;
    }
    this.#options.onRefused(broken.fault);
    this.onmessage?.(unusableAnswer(broken.id));
  }

  async #shutDown(): Promise<void> {
    const child = this.#child;
    const pid = child?.pid;
    if (child !== undefined && pid !== undefined && child.exitCode === null && child.signalCode === null) {
      this.#end ??= 'was closed';
      child.stdin?.end();
      if (!(await this.#endsWithin(this.#options.closeGraceMs))) {
        signalTree(pid, 'SIGTERM');
        if (!(await this.#endsWithin(this.#options.closeGraceMs))) signalTree(pid, 'SIGKILL');
      }
      await this.#exited;
    }
    for (const pipe of [child?.stdin, child?.stdout, child?.stderr]) pipe?.destroy();
    this.#finish();
  }

  async #endsWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    const ended = await Promise.race([this.#exited?.then(() => true) ?? true, late]);
    clearTimeout(timer);
    return ended;
  }

  #finish(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.onclose?.();
  }
}

/** The system says of a command whose folder is missing that the command is. */
function whyNotStarted(folder: string | undefined): string {
  try {
    if (folder === undefined || statSync(folder).isDirectory()) return 'could not be started';
  } catch {
    // Nothing can be said of it, and nothing can be run in it.
  }
  return 'has no folder to run in';
}

/** Some runtimes begin what they write with a mark. */
function unmarked(line: string): string {
  return line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
}
