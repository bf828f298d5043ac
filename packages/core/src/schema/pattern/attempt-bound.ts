import { characterClasses } from './alphabet.ts';
import { matched, type PositionAutomaton } from './position-automaton.ts';
import { addWays, seriesTo, type Ways, type WaysTo } from './ways.ts';
import { spend, type WorkBudget } from './work-budget.ts';

/**
 * Whether a backtracking search takes at most `maxSteps` steps for each character of any text, counted over all the
 * attempts that it makes until it succeeds or gives up.
 *
 * The search goes each way through the automaton at most once, so the ways that read the same beginning of the
 * text, counted together, bound its work there. All the collections of attempts that can stand together are
 * enumerated: if they are finitely many and none passes the bound, that is the proof. Attempts from one starting
 * place are counted apart from those of the starting places before it, which have all failed. A starting place
 * with an open way to the end cannot fail: that is what makes `\S+` linear and `\s+$` not.
 */
export function isBounded(automaton: PositionAutomaton, maxSteps: number, budget: WorkBudget): boolean {
  const classes = characterClasses(automaton.sets, budget);
  const exploration = { automaton, classes, maxSteps, budget };
  return (
    [automaton.firstAtStart, automaton.first].every((tries) =>
      staysBounded({ ...exploration, failing: false }, { tries, restarts: false }),
    ) && staysBounded({ ...exploration, failing: true }, { tries: automaton.firstAtStart, restarts: true })
  );
}

interface Exploration {
  readonly automaton: PositionAutomaton;
  /** Classes of characters that each position reads. */
  readonly classes: readonly (readonly number[])[];
  readonly maxSteps: number;
  readonly budget: WorkBudget;
  /** Whether only attempts that fail are counted, so that none of them can have matched. */
  readonly failing: boolean;
}

/** What is tried on the next character. */
interface Stage {
  readonly tries: WaysTo;
  /** Whether the search starts anew at each further character. */
  readonly restarts: boolean;
}

function staysBounded(exploration: Exploration, start: Stage): boolean {
  const waiting: Stage[] = [start];
  const seen = new Set<string>();
  for (let stage = waiting.pop(); stage !== undefined; stage = waiting.pop()) {
    if (exploration.failing && stage.tries.get(matched)?.open === true) continue;
    if (steps(stage.tries) > exploration.maxSteps) return false;
    for (const read of afterNextCharacter(stage.tries, exploration)) {
      for (const restarts of stage.restarts ? [true, false] : [false]) {
        const key = stageKey(read, restarts, exploration);
        if (seen.has(key)) continue;
        seen.add(key);
        waiting.push({ tries: triesAfter(read, restarts, exploration), restarts });
      }
    }
  }
  return true;
}

function steps(tries: WaysTo): number {
  let sum = 1;
  for (const ways of tries.values()) sum += ways.count;
  return sum;
}

/** The attempts that survive a character, for each class of characters, and for a character of no class. */
function afterNextCharacter(tries: WaysTo, exploration: Exploration): readonly WaysTo[] {
  const byClass = new Map<number, Map<number, Ways>>();
  for (const [position, ways] of tries) {
    const set = exploration.automaton.sets[position];
    const survivors: Ways = set?.exact === true ? ways : { count: ways.count, open: false };
    const classes = exploration.classes[position] ?? [];
    spend(exploration.budget, 1 + classes.length);
    for (const number of classes) {
      const read = byClass.get(number) ?? new Map<number, Ways>();
      read.set(position, survivors);
      byClass.set(number, read);
    }
  }
  return [new Map(), ...byClass.values()];
}

function triesAfter(read: WaysTo, restarts: boolean, { automaton, budget }: Exploration): WaysTo {
  const tries = new Map<number, Ways>(restarts ? automaton.first : []);
  for (const [position, ways] of read) {
    const follow = automaton.follow[position] ?? new Map<number, Ways>();
    spend(budget, 1 + follow.size);
    for (const [to, more] of seriesTo(ways, follow)) addWays(tries, to, more);
  }
  return tries;
}

function stageKey(read: WaysTo, restarts: boolean, { failing, budget }: Exploration): string {
  spend(budget, 1 + read.size);
  const parts: string[] = [];
  for (const [position, { count, open }] of read)
    parts.push(`${position}:${count}${failing && open ? '!' : ''}`);
  // Mostly there is one, or none.
  if (parts.length > 1) parts.sort();
  return `${restarts ? '*' : ''}${parts.join(' ')}`;
}
