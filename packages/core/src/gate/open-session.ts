import { type ApprovalRule, checkScopeNames } from '../policy/scope.ts';
import { askAllAvailable } from './ask-all-available.ts';
import { createSession } from './create-session.ts';
import { declinedKey } from './declined-key.ts';
import type { GateCore } from './gate-core.ts';
import type { GateSession } from './gate-session.ts';
import { newId } from './new-id.ts';
import { type OpenOptions, readOpenOptions } from './open-options.ts';
import type { UnavailableDetail } from './reason.ts';
import { SessionState } from './session-state.ts';

/**
 * Opens a session: judges every tool by the scope, then asks every availability policy once, in order of declaration.
 * Tools that the scope hides are not asked about.
 *
 * @throws {@link GateError} `gate/options-invalid`, `gate/availability`; {@link PolicyError} for `narrow`.
 */
export async function openSession<Context>(
  core: GateCore<Context>,
  options: OpenOptions<Context>,
): Promise<GateSession> {
  const { context, signal, principal, sessionId, declined = [], narrow, observe } = readOpenOptions(options);
  const { settings, entries } = core;
  const scope = narrow === undefined ? settings.scope : settings.scope.narrow(narrow);
  if (narrow !== undefined) checkScopeNames(scope, entries, 'narrow', true);
  const hidden = new Map<string, UnavailableDetail>();
  for (const entry of entries.values()) {
    const verdict = scope.judge(entry);
    if (verdict !== 'permitted') hidden.set(entry.name, verdict);
  }
  const permitted = [...entries.keys()].filter((name) => !hidden.has(name));
  for (const name of await askAllAvailable(core, permitted, context, signal)) {
    hidden.set(name, 'availability_denied');
  }
  const approvals = new Map<string, ApprovalRule<Context>>();
  const offered = [...entries.values()].filter((entry) => !hidden.has(entry.name));
  for (const { name, profile } of offered) {
    const rule = scope.approvalFor(profile.class);
    if (rule !== undefined) approvals.set(name, rule);
  }
  const id = sessionId ?? newId(settings.ids);
  const state = new SessionState({ core, id, context, principal, hidden, approvals, observe });
  for (const call of declined) state.addDeclined(declinedKey(call));
  state.emitOpen(offered.map(({ name }) => name));
  const definitions = Object.freeze(offered.map(({ binding }) => binding.contract.definition));
  return createSession(state, definitions, signal);
}
