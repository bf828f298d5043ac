import type { IncomingHttpHeaders } from 'node:http';
import { type Edit, type Item, isUnsignedThought, type Loss, type ModelCall } from '@toolgate/model';
import type { Candidate } from '../routes/route-table.ts';
import type { ClientCall } from '../surfaces/read-call.ts';
import type { ChoosableTools } from './choosable-tools.ts';
import { passedHeaders } from './client-headers.ts';
import type { ContinuationPlace, Continuations } from './continuations.ts';
import { toFlatCall } from './flat-call.ts';
import { withNamespacedChoice } from './namespaced-choice.ts';
import type { OfferedTools } from './offered-tools.ts';
import { passRequest } from './pass-request.ts';
import type { Preparation } from './prepared-request.ts';
import { translateRequest } from './translate-request.ts';

/** What a candidate's request is made from. */
export interface RequestPlan {
  readonly client: ClientCall;
  readonly clientHeaders: IncomingHttpHeaders;
  readonly candidate: Candidate;
  readonly offered: OfferedTools;
  /** What the client's choice lets the model call. */
  readonly choosable: ChoosableTools;
  /** The call with the offered tools, and with what a control tool added. */
  readonly call: ModelCall;
  /** The same additions as changes of the client's own body. */
  readonly edits: readonly Edit[];
  /** What a hidden round adds to the conversation. */
  readonly added: readonly Item[];
  readonly strict: boolean;
  /** Where the thoughts of earlier turns are kept, for clients that cannot keep them. */
  readonly continuations: Continuations;
  readonly place: ContinuationPlace;
  /** Whether the request is written anew although the protocol is the same. */
  readonly anew?: boolean;
}

const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

/** Makes the request of one candidate: the client's own bytes where the protocol is the same, else a new one. */
export function prepareRequest(plan: RequestPlan): Preparation {
  const { added, candidate, client, edits, offered, strict } = plan;
  const sameProtocol = candidate.provider.protocol === client.protocol;
  const flat =
    sameProtocol || client.protocol !== 'openai-responses'
      ? undefined
      : toFlatCall(plan.call, plan.choosable, offered);
  if (flat?.kind === 'refused') return flat;
  const { call, losses: changed } = sameProtocol
    ? withoutUnsigned(plan.call)
    : (flat ?? { call: plan.call, losses: NO_LOSSES });
  const model = candidate.model ?? client.call.model;
  const headers = sameProtocol ? passedHeaders(client.protocol, plan.clientHeaders) : NO_HEADERS;
  if (sameProtocol && added.length === 0 && changed.length === 0 && plan.anew !== true)
    return passRequest({ client, call, offered, model, provider: candidate.provider, edits, headers });
  const longer = added.length === 0 ? call : { ...call, items: [...call.items, ...added] };
  const continued =
    sameProtocol && changed.length === 0
      ? { call: longer, losses: [] }
      : plan.continuations.restore(plan.place, longer);
  const isOwn = sameProtocol && client.protocol === 'openai-responses';
  return translateRequest({
    client,
    call: isOwn ? withNamespacedChoice(continued.call, plan.choosable, offered) : continued.call,
    candidate,
    model,
    losses: [...client.losses, ...changed, ...continued.losses],
    strict,
    sameProtocol,
    headers,
    namespaces: flat?.names,
  });
}

const NO_LOSSES: readonly Loss[] = Object.freeze([]);

function hasUnsigned(items: readonly Item[]): boolean {
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (item !== undefined && isUnsignedThought(item)) return true;
  }
  return false;
}

/**
 * The call without the thoughts of other providers that its client was shown. Who is asked now would refuse them, and
 * with them the whole conversation.
 */
function withoutUnsigned(call: ModelCall): { readonly call: ModelCall; readonly losses: readonly Loss[] } {
  if (!hasUnsigned(call.items)) return { call, losses: NO_LOSSES };
  const losses = call.items.flatMap((item, index): readonly Loss[] =>
    isUnsignedThought(item)
      ? [
          {
            code: 'dropped',
            path: `/items/${index}`,
            severity: 'info',
            detail: 'a thought of another provider',
          },
        ]
      : [],
  );
  return { call: { ...call, items: call.items.filter((item) => !isUnsignedThought(item)) }, losses };
}
