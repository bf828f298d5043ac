import { type FlatCall, flattenNamespaces, type Loss, type ModelCall, ModelError } from '@toolgate/model';
import { type Refusal, refuse } from '../../http/refusal.ts';
import type { ChoosableTools } from './choosable-tools.ts';
import type { OfferedTools } from './offered-tools.ts';

/** A call of OpenAI Responses for a provider whose protocol has no namespaces, or why it cannot be had. */
export type FlattenedCall =
  | {
      readonly kind: 'flat';
      readonly call: ModelCall;
      readonly losses: readonly Loss[];
      /** `undefined` where the answer can hold no function of a namespace. */
      readonly names: FlatCall['names'] | undefined;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * The call with the functions of its namespaces under the whole names by which its calls are judged, and a choice that
 * names the same tools as the client's.
 */
export function toFlatCall(call: ModelCall, choosable: ChoosableTools, offered: OfferedTools): FlattenedCall {
  const { custom, functions, hosted, names } = offered;
  // A route that is a mere passage lets them by, and only a protocol with namespaces can tell them apart.
  if (names.clash !== undefined) return refused(refuse('tool_name_ambiguous', { pointer: names.clash }));
  try {
    const permits = (name: string): boolean => functions.has(name) || custom.has(name) || hosted.has(name);
    const flat = flattenNamespaces(call, permits);
    const choice = flatChoice(call.toolChoice, choosable, offered);
    if (choice === 'gone') return refused(refuse('tool_unavailable', { pointer: '/tool_choice' }));
    return {
      kind: 'flat',
      call: choice ? { ...flat.call, toolChoice: choice } : flat.call,
      losses: flat.losses,
      names: flat.names.size === 0 ? undefined : flat.names,
    };
  } catch (error) {
    if (!ModelError.is(error)) throw error;
    const { message: detail, pointer } = error;
    return refused(refuse('translation_refused', pointer === undefined ? { detail } : { detail, pointer }));
  }
}

/** The choice by whole names; what the client means by a name that more than one namespace has is one of them all. */
function flatChoice(
  choice: ModelCall['toolChoice'],
  choosable: ChoosableTools,
  { functions, names }: OfferedTools,
): ModelCall['toolChoice'] | 'gone' {
  if (!choice || choice.mode === 'foreign' || choice.mode === 'none' || names.byName.size === 0)
    return choice;
  if (choosable === 'absent') return 'gone';
  if (choosable === undefined) return choice;
  const allowed = [...choosable].filter((name) => functions.has(name));
  const [only] = allowed;
  if (choice.mode === 'named') {
    if (only === undefined) return 'gone';
    return allowed.length === 1 ? { mode: 'named', name: only } : { mode: 'any', allowed };
  }
  if (only !== undefined) return { mode: choice.mode, allowed };
  // An empty list would read like no restriction.
  return choice.mode === 'any' ? 'gone' : { mode: 'none' };
}

function refused(refusal: Refusal): FlattenedCall {
  return { kind: 'refused', refusal };
}
