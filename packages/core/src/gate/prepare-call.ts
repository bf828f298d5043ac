import { ignoreThrown } from '../internal/ignore-thrown.ts';
import type { CallRefusal } from '../tool/call-refusal.ts';
import { prepareUnfrozen } from '../tool/contract.ts';
import type { CallRun } from './call-run.ts';
import type { GateEntry } from './gate-entry.ts';
import { ignoreLater } from './is-thenable.ts';
import { publishText } from './publish-output.ts';

const REPAIRABLE: ReadonlySet<CallRefusal['reason']> = new Set([
  'arguments_malformed',
  'arguments_not_object',
  'arguments_rejected',
]);

/** Has the contract admit the arguments; asks for a repair where one is configured and permitted. */
export function prepareCall<Context>(run: CallRun<Context>): boolean | Promise<boolean> {
  const { entry } = run;
  const prepared = prepareUnfrozen(entry.binding.contract, run.call);
  if (prepared.ok) {
    run.admit(prepared.invocation);
    return place(run, entry);
  }
  const { repair } = run.session.core.settings;
  if (repair === undefined || !entry.repairable || !REPAIRABLE.has(prepared.error.reason)) {
    return refuseArguments(run, prepared.error);
  }
  return repairCall(run, entry, prepared.error);
}

/** Has the contract admit other arguments for the same call. */
export function prepareText<Context>(run: CallRun<Context>, text: string): boolean {
  const { entry } = run;
  const prepared = prepareUnfrozen(entry.binding.contract, { ...run.call, arguments: text });
  if (!prepared.ok) return refuseArguments(run, prepared.error);
  run.admit(prepared.invocation);
  return place(run, entry);
}

async function repairCall<Context>(
  run: CallRun<Context>,
  entry: GateEntry<Context>,
  refusal: CallRefusal,
): Promise<boolean> {
  const text = await askForRepair(run, entry, refusal);
  if (!run.waiting) return false;
  run.stopTimer();
  if (text === undefined) return refuseArguments(run, refusal);
  const { contract } = entry.binding;
  const prepared = prepareUnfrozen(contract, { ...run.call, arguments: text });
  run.emit({ kind: 'call-repair', reason: refusal.reason, admitted: prepared.ok });
  // The model is told about what it wrote, not about what the hook made of it.
  if (!prepared.ok) return refuseArguments(run, refusal);
  run.change({ repairedFrom: run.call.arguments });
  run.admit(prepared.invocation);
  return place(run, entry);
}

/** `undefined` when the refusal stands. */
async function askForRepair<Context>(
  run: CallRun<Context>,
  entry: GateEntry<Context>,
  refusal: CallRefusal,
): Promise<string | undefined> {
  const { repair } = run.session.core.settings;
  run.startTimer(run.session.core.patience, () => refuseArguments(run, refusal));
  try {
    const { context, signal } = run.context;
    const { definition } = entry.binding.contract;
    // A copy: the hook may propose other arguments, not another call.
    const call = Object.freeze({ ...run.call });
    const text: unknown = await repair?.({ call, refusal, definition, context, signal });
    return typeof text === 'string' ? text : undefined;
  } catch (thrown) {
    ignoreThrown(thrown);
    // A repair that fails repairs nothing; the refusal already says what is wrong.
    return undefined;
  }
}

function refuseArguments<Context>(run: CallRun<Context>, refusal: CallRefusal): false {
  const { reason, text, cause, jsonError } = refusal;
  return run.refuse(reason, publishText(run, text, reason), { cause: cause ?? jsonError });
}

/** Says which resource key the call has, so that it and the calls after it know their order. */
function place<Context>(run: CallRun<Context>, entry: GateEntry<Context>): boolean {
  const { resourceKey } = entry.profile;
  if (resourceKey === undefined) return true;
  let key: unknown = resourceKey;
  if (typeof resourceKey === 'function') {
    try {
      key = resourceKey(run.invocation.arguments());
    } catch (cause) {
      return run.refuse('handler_error', undefined, { cause });
    }
  }
  if (typeof key !== 'string') {
    ignoreLater(key);
    return run.refuse('handler_error', undefined, { cause: new TypeError('A resource key is a string.') });
  }
  run.session.scheduler.place(run.ticket, key);
  return true;
}
