import type { Usage } from '@toolgate/model';
import type { RunUsage } from '../state/loop-state.ts';

/** Adds what a provider counted; what one turn does not say stays unknown for that turn only. */
export function addUsage(total: RunUsage, turn: Usage | null): RunUsage {
  if (turn === null) return total;
  return {
    inputTotal: add(total.inputTotal, turn.inputTotal),
    outputTotal: add(total.outputTotal, turn.outputTotal),
  };
}

function add(total: number | null, more: number | null): number | null {
  return more === null ? total : (total ?? 0) + more;
}
