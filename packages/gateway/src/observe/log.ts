import { type Clock, createRedactor, ignoreThrown, type JsonValue } from '@toolgate/core';

/** How much a line matters. */
export type LogLevel = 'info' | 'warn' | 'error';

/** Values that go with a line; short, and never contents of a request. */
export type LogFields = Readonly<Record<string, JsonValue | undefined>>;

/** Writes one JSON object in each line. Never throws. */
export interface GatewayLog {
  /** @param event - A word of our own, such as `config-load`. */
  write(level: LogLevel, event: string, fields?: LogFields): void;
}

/** Settings of {@link createLog}. */
export interface LogOptions {
  /** Takes one line with its line feed. What it throws is lost with the line. */
  readonly sink: (line: string) => void;
  readonly clock: Clock;
  /** Secrets that must not be in any line; asked for each line, as they change with the configuration. */
  readonly secrets?: () => readonly string[];
}

/** Makes a log. Text that looks like a credential is left out, and secrets that are known. */
export function createLog({ sink, clock, secrets = () => [] }: LogOptions): GatewayLog {
  let known: readonly string[] = [];
  let redact = createRedactor();
  return Object.freeze({
    write(level: LogLevel, event: string, fields: LogFields = {}) {
      try {
        const now = secrets();
        if (now !== known) {
          known = now;
          redact = createRedactor({ secrets: now.filter(({ length }) => length >= MIN_SECRET) });
        }
        const line = JSON.stringify({ time: new Date(clock.now()).toISOString(), level, event, ...fields });
        ignoreThrown(sink(`${redact(line).text}\n`));
      } catch (thrown) {
        ignoreThrown(thrown);
        // A log that cannot be written must not become a failure of what it tells about.
      }
    },
  });
}

/** Shorter ones would be found everywhere, and protect nothing. */
const MIN_SECRET = 4;
