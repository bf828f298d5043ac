import { type ApprovalRequest, type Approver, type JsonObject, readJson } from '@toolgate/core';
import { revealText } from '../mcp/reveal-text.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { createPaint } from '../terminal/paint.ts';
import type { ApproveRule } from './run-plan.ts';

/** What the person at the terminal said about one call. */
export type Answer =
  | { readonly kind: 'allow' }
  | { readonly kind: 'decline' }
  | { readonly kind: 'edit'; readonly arguments: JsonObject }
  | { readonly kind: 'later' };

/** Asks about calls, one question at a time, whatever runs at the same time. */
export interface Reviewer {
  /** Present where somebody can be asked. */
  readonly ask: ((request: ApprovalRequest, signal: AbortSignal) => Promise<Answer>) | undefined;
  /** The approver of the scope. */
  readonly approve: Approver;
}

/** Who decides, and what happens where nobody can be asked. */
export interface ReviewerConfig {
  readonly rule: ApproveRule;
  readonly io: CliIo;
  /** Whether a call can wait: then the run is suspended, else the call is declined. */
  readonly canWait: boolean;
}

const NOBODY = Object.freeze({
  decision: 'decline',
  reason: 'Nobody is there to approve the call.',
} as const);

/** Makes the reviewer of one run; it remembers for which tools the answer is always yes. */
export function createReviewer({ rule, io, canWait }: ReviewerConfig): Reviewer {
  const always = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  const { ask } = io;
  const inTurn = (request: ApprovalRequest, signal: AbortSignal): Promise<Answer> => {
    const answer = last.then(() =>
      ask === undefined || always.has(request.tool)
        ? ({ kind: 'allow' } as const)
        : askPerson(request, { io, ask, signal, canWait, always }),
    );
    last = answer.catch(() => undefined);
    return answer;
  };
  return {
    ask: ask === undefined ? undefined : inTurn,
    approve: async (request, { signal }) => {
      if (rule === 'changes' && request.class === 'read') return 'allow';
      if (ask === undefined) return canWait ? 'defer' : NOBODY;
      const answer = await inTurn(request, signal);
      if (answer.kind === 'edit') return { decision: 'allow', arguments: answer.arguments };
      return answer.kind === 'later' ? 'defer' : answer.kind;
    },
  };
}

interface Question {
  readonly io: CliIo;
  readonly ask: NonNullable<CliIo['ask']>;
  readonly signal: AbortSignal;
  readonly canWait: boolean;
  readonly always: Set<string>;
}

async function askPerson(request: ApprovalRequest, question: Question): Promise<Answer> {
  const { io, ask, signal, canWait, always } = question;
  const paint = createPaint(io.stderr, io.env);
  const choices = `[y]es / [n]o / [e]dit / [a]lways for ${request.tool} in this run${canWait ? ' / [l]ater' : ''}`;
  await io.stderr.write(`\n${paint('warning', 'approve?')}  ${describeRequest(request)}\n`);
  for (;;) {
    // An input that ended is a no.
    const word = ((await ask(`${choices}: `, signal)) ?? 'no').trim().toLowerCase();
    switch (word) {
      case 'y':
      case 'yes':
        return { kind: 'allow' };
      case 'n':
      case 'no':
        return { kind: 'decline' };
      case 'a':
      case 'always':
        always.add(request.tool);
        return { kind: 'allow' };
      case 'e':
      case 'edit': {
        const edited = readObject((await ask('arguments as JSON: ', signal)) ?? '');
        if (edited !== undefined) return { kind: 'edit', arguments: edited };
        await io.stderr.write('That is no JSON object.\n');
        break;
      }
      case 'l':
      case 'later':
        if (canWait) return { kind: 'later' };
        break;
    }
  }
}

/** A call that waits, in one line: all of its arguments, with what would not be seen or taken for something else as escapes. */
export function describeRequest(request: ApprovalRequest): string {
  const filled = request.filled?.length ?? 0;
  const note = filled === 0 ? '' : `  (${filled} from defaults)`;
  return `${request.tool} (${request.class})  ${revealText(JSON.stringify(request.arguments))}${note}`;
}

function readObject(text: string): JsonObject | undefined {
  try {
    const value = readJson(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return value as JsonObject;
  } catch {
    return undefined;
  }
}
