import type { RequestTarget } from '@toolgate/model';
import { refuse } from '../http/refusal.ts';
import { beginAnswer, type LlmRequest } from './begin-answer.ts';
import type { CallContext } from './call-context.ts';
import { createCallJudges } from './call-judges.ts';
import { findPassage, passOn } from './pass-on.ts';
import { refuseAnswerCount } from './request/answer-count.ts';
import { choosableTools, refuseNames } from './request/choosable-tools.ts';
import { namesServers, withOffered } from './request/offered-tools.ts';
import { offerRules } from './request/tool-offers.ts';
import { isPassage } from './routes/is-passage.ts';
import { type RunningCall, runCall } from './run-call.ts';

/**
 * Serves one model call from the body to the last byte.
 *
 * @returns What can be stopped; `undefined` when it was refused.
 */
export function handleCall(
  request: LlmRequest,
  target: RequestTarget,
  context: CallContext,
): RunningCall | undefined {
  const { principal, response } = request;
  const read = context.readCall(request.protocol, request.body, target);
  const begun = beginAnswer(request, read.kind === 'call' ? read.call.call : undefined, context);
  if (read.kind === 'refused') {
    const passage = read.model === undefined ? undefined : findPassage(read.model, request, context);
    if (passage === undefined) begun.refuse(read.refusal);
    else passOn(request, target, passage, begun, context);
    return undefined;
  }
  const { call } = read.call;
  const route = context.routes.find(call.model, principal);
  if (route === undefined) {
    begun.refuse(refuse('model_not_found'));
    return undefined;
  }
  begun.record.route = route.config.name;
  const rules = offerRules(principal, route.policy);
  const offered = context.offer(call, rules);
  const hidden = namesServers(call) && !rules.permits('mcp');
  const offeredCall = hidden ? undefined : withOffered(call, offered);
  if (offeredCall === undefined) {
    begun.refuse(refuse('tool_unavailable'));
    return undefined;
  }
  // The client's own choice: only its entries stand in the order of the body. What may not pass is judged besides.
  const choosable = choosableTools(call.toolChoice, offered, read.call);
  const unfit = isPassage(route.config)
    ? undefined
    : (refuseNames(offered, choosable) ?? refuseAnswerCount(request.protocol, offeredCall));
  if (unfit !== undefined) {
    begun.refuse(unfit);
    return undefined;
  }
  const { requestId } = request;
  const judges = createCallJudges({
    caller: Object.freeze({ principal, requestId, route: route.config.name }),
    policy: route.policy,
    offered,
    choosable: choosable === 'absent' ? undefined : choosable,
    present: request.present,
    rules: request.rules,
    record: begun.record,
    services: context.services,
    settings: context.settings,
  });
  const running = runCall(
    {
      route,
      answer: begun.answer,
      record: begun.record,
      requestId,
      principal: principal.id,
      judges,
      services: context.services,
    },
    { client: read.call, headers: request.headers, offered, choosable, call: offeredCall },
  );
  // Before the request is recorded as one whose client went away: what was used until then is said there.
  response.prependListener('close', () => {
    judges.leave();
    running.abandon();
  });
  return running;
}
