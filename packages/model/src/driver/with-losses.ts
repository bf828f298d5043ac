import type { Loss } from '../codec/loss.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { redactSecrets } from './redact-secrets.ts';

/**
 * The events with the losses of their answer just before the terminal one: after it nothing may come. Words that the
 * provider chose itself are redacted.
 */
export function withLosses(
  events: readonly ModelEvent[],
  losses: readonly Loss[],
  secrets: readonly string[],
): readonly ModelEvent[] {
  const terminal = events.findIndex(isTerminal);
  if (terminal < 0) return events;
  const told = [...losses.map(lossWarning), ...events.slice(terminal)].map((event) =>
    withoutSecrets(event, secrets),
  );
  return [...events.slice(0, terminal), ...told];
}

/** An event that reports something, with the provider's own words redacted: it may have said back what it was sent. */
function withoutSecrets(event: ModelEvent, secrets: readonly string[]): ModelEvent {
  const clean = (text: string): string => redactSecrets(text, secrets);
  if (event.kind === 'warning') return { ...event, detail: clean(event.detail) };
  if (event.kind === 'response-end')
    return event.finishDetail === undefined ? event : { ...event, finishDetail: clean(event.finishDetail) };
  if (event.kind !== 'response-error') return event;
  const { providerCode } = event;
  const code = providerCode === undefined ? {} : { providerCode: clean(providerCode) };
  return { ...event, message: clean(event.message), ...code };
}

/** A loss as the event that reports it. */
export function lossWarning({ code, severity, path, detail }: Loss): ModelEvent {
  return {
    kind: 'warning',
    code: `loss/${code}`,
    detail: `${severity} at ${path === '' ? '/' : path}: ${detail}`,
  };
}

/** Whether an event ends its answer. */
export function isTerminal({ kind }: ModelEvent): boolean {
  return kind === 'response-end' || kind === 'response-error';
}
