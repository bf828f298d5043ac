import type { ServerContext } from '@modelcontextprotocol/server';
import type { ToolProgress } from '@toolgate/core';

/** Characters of a progress text that a client gets. */
const MAX_MESSAGE = 1_000;

/** Carries progress to one client. */
export interface ProgressRelay {
  readonly report: (update: ToolProgress) => void;
  /** Sends what is left; nothing is sent after it. */
  readonly finish: () => Promise<void>;
}

/**
 * Carries the reports of one call to a client that asked for them with a token (MCP, progress). Only growing values
 * are sent. One is on its way at a time, and of those that come meanwhile only the last is kept: a client that reads
 * slowly, or a tool that reports in a loop, fills no memory.
 */
export function progressRelay({ mcpReq }: ServerContext): ProgressRelay | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let highest = Number.NEGATIVE_INFINITY;
  let next: ToolProgress | undefined;
  let sending: Promise<void> | undefined;
  let finished = false;

  const send = async (): Promise<void> => {
    for (let update = next; update !== undefined; update = next) {
      next = undefined;
      const { progress, total, message } = update;
      const params = {
        progressToken,
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message: message.slice(0, MAX_MESSAGE).toWellFormed() }),
      };
      // A client that is gone gets nothing; its call learns of that by its signal.
      await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    }
    sending = undefined;
  };

  return {
    report: (update) => {
      if (finished || !(update.progress > highest)) return;
      highest = update.progress;
      next = update;
      sending ??= send();
    },
    finish: async () => {
      finished = true;
      await sending;
    },
  };
}
