import { ignoreThrown } from '../internal/ignore-thrown.ts';
import type { ResolvedProfile } from '../policy/profile-of.ts';
import type { Contract } from '../tool/contract.ts';
import type { GateConfig } from './gate-config.ts';
import { createGateCore } from './gate-core.ts';
import type { GateSession } from './gate-session.ts';
import type { OpenOptions } from './open-options.ts';
import { openSession } from './open-session.ts';
import { readGateConfig } from './read-gate-config.ts';

/** What a gate knows about one of its tools. */
export interface GateTool {
  readonly contract: Contract;
  readonly profile: ResolvedProfile;
  readonly privileged: boolean;
}

/** The managed path to a set of tools. Immutable; it can have any number of sessions at the same time. */
export interface Gate<Context = unknown> {
  /** All tools in order of declaration, whatever a scope says about them. Not for models. */
  readonly tools: readonly GateTool[];
  /**
   * Opens a session: works out which tools are offered, asking each availability policy once, before anything is shown
   * to a model. The list is fixed for the session.
   *
   * @throws {@link GateError} `gate/availability` when a policy cannot decide; `gate/options-invalid`; {@link PolicyError}
   * for `narrow`; the reason of the signal, when it is aborted while policies are asked.
   */
  readonly open: (
    ...options: unknown extends Context ? [OpenOptions<Context>?] : [OpenOptions<Context>]
  ) => Promise<GateSession>;
}

/**
 * Makes a gate. Everything that can be wrong with a tool, a scope or an option is found here, not during a run.
 *
 * @throws {@link GateError} `gate/options-invalid`; {@link ContractError} for a tool that cannot be bound or a name that
 * is taken; {@link PolicyError} for a capability that is declared wrongly, and for a scope that names another tool and
 * refuses that.
 */
export function createGate<Context = unknown>(config: GateConfig<Context>): Gate<Context> {
  const core = createGateCore(readGateConfig(config));
  const tools = [...core.entries.values()].map(({ binding, profile, privileged }) =>
    Object.freeze({ contract: binding.contract, profile, privileged }),
  );
  return Object.freeze({
    tools: Object.freeze(tools),
    open: async (
      ...[options]: unknown extends Context ? [OpenOptions<Context>?] : [OpenOptions<Context>]
    ): Promise<GateSession> => {
      try {
        // Only a context that may be anything can be left out.
        return await openSession(core, options === undefined ? { context: undefined as Context } : options);
      } catch (error) {
        ignoreThrown(error);
        throw error;
      }
    },
  });
}
