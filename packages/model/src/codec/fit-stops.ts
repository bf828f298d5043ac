import type { LossLog } from './loss-log.ts';

/**
 * The first of the texts that end an answer, as many as a provider takes: it would refuse the request for one more, and for
 * an empty one.
 */
export function fitStops(stop: readonly string[], most: number, losses: LossLog): readonly string[] {
  const filled = stop.includes('') ? stop.filter((text) => text !== '') : stop;
  if (filled.length < stop.length)
    losses.add('dropped', '/sampling/stop', 'info', 'an empty text ends no answer');
  if (filled.length <= most) return filled;
  losses.add('dropped', '/sampling/stop', 'warning', 'the provider takes fewer texts that end an answer');
  return filled.slice(0, most);
}
