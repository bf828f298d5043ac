import type { RequestTarget } from '@toolgate/model';
import { refuse } from '../http/refusal.ts';
import { type BegunAnswer, beginAnswer, type LlmRequest } from './begin-answer.ts';
import type { CallContext } from './call-context.ts';
import { createCallAccount } from './firewall/call-account.ts';
import { createCallJudge } from './firewall/judge-call.ts';
import type { JudgeOptions } from './firewall/judge-options.ts';
import { createUnreadAccount } from './firewall/unread-account.ts';
import { findPassage, passOn } from './pass-on.ts';
import { refuseAnswerCount } from './request/answer-count.ts';
import { choosableTools, refuseNames } from './request/choosable-tools.ts';
import { namesServers, type OfferedTools, withOffered } from './request/offered-tools.ts';
import { offerRules } from './request/tool-offers.ts';
import { isPassage } from './routes/is-passage.ts';
import type { Route } from './routes/route-table.ts';
import { type CallRun, type RunningCall, runCall } from './run-call.ts';

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
  let gone: AbortController | undefined;
  const { createJudge, createUnread } = judgesOf(
    request,
    context,
    begun,
    route,
    { offered, choosable: choosable === 'absent' ? undefined : choosable },
    () => {
      gone ??= new AbortController();
      return gone.signal;
    },
  );
  const running = runCall({
    client: read.call,
    headers: request.headers,
    route,
    offered,
    choosable,
    call: offeredCall,
    answer: begun.answer,
    record: begun.record,
    requestId: request.requestId,
    principal: principal.id,
    createJudge,
    createUnread,
    services: context.services,
  });
  response.on('close', () => {
    gone?.abort();
    running.abandon();
  });
  return running;
}

function judgesOf(
  { present, principal, requestId, rules }: LlmRequest,
  { services, settings }: CallContext,
  { record }: BegunAnswer,
  route: Route,
  { choosable, offered }: Pick<JudgeOptions, 'choosable'> & { readonly offered: OfferedTools },
  signal: () => AbortSignal,
): Pick<CallRun, 'createJudge' | 'createUnread'> {
  const { clock, newId, stores } = services;
  const caller = Object.freeze({ principal, requestId, route: route.config.name });
  const account = createCallAccount({
    caller,
    calls: stores.calls,
    audit: services.audit,
    auditAllowed: settings.auditAllowed,
    contents: settings.contents,
    newId,
    now: clock.now,
    onCount: (count) => {
      record.calls = count;
    },
  });
  const options = {
    caller,
    policy: route.policy,
    contracts: services.contracts,
    tools: offered.functions,
    choosable,
    customTools: offered.custom,
    hostedTools: offered.hosted,
    authorize: services.authorize,
    desk: { approvals: stores.approvals, newId, now: clock.now },
    account,
    present,
    rules,
    signal,
  };
  return {
    createJudge: () => createCallJudge(options),
    createUnread: () => createUnreadAccount(account),
  };
}
