import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, freezeJson, type JsonObject, type JsonValue } from '@toolgate/core';
import { AgentError } from '../agent-error.ts';
import type { LoopState } from './loop-state.ts';
import { readLoopState } from './read-loop-state.ts';

/** Version of the form of {@link RunState}; a state of another version is refused by name. */
export const RUN_STATE_VERSION = 1;

/**
 * A suspended run as plain JSON: store it, send it, give it back to `resume`. It is signed, so that nobody who can
 * write to the store can change what was asked, answered or proposed. It holds the conversation in clear unless the
 * agent has an `encrypt` hook; the application's context is never in it.
 */
export interface RunState {
  readonly format: 'toolgate-run';
  readonly version: number;
  readonly runId: string;
  /** The loop's state as JSON text, or what the `encrypt` hook made of it. */
  readonly body: string;
  readonly encrypted: boolean;
  /** `hmac-sha256:` and lower-case hex, over the canonical JSON (RFC 8785) of the other members. */
  readonly signature: string;
}

/** Keeps the body of stored states from prying eyes. Signing is not its job. */
export interface StateCipher {
  /** What it gives is a text of any length; `decrypt` makes of it what it was. */
  encrypt(text: string): string;
  /** @throws Anything, when the text cannot be read. */
  decrypt(text: string): string;
}

/** Signs and checks states with one key. */
export interface StateSeal {
  seal(state: LoopState): RunState;
  /** @throws AgentError `agent/state-invalid` for a state that was changed, `agent/state-foreign` for another version. */
  open(state: unknown): LoopState;
}

const MIN_KEY_BYTES = 32;
const MEMBERS = ['body', 'encrypted', 'format', 'runId', 'signature', 'version'];

/** @throws AgentError `agent/options-invalid` for a key of less than 32 bytes. */
export function createStateSeal(key: string | Uint8Array, cipher: StateCipher | undefined): StateSeal {
  const bytes = typeof key === 'string' ? utf8ToBytes(key) : Uint8Array.from(key);
  if (bytes.length < MIN_KEY_BYTES) {
    throw new AgentError('agent/options-invalid', `stateKey needs at least ${MIN_KEY_BYTES} bytes`);
  }
  const sign = (unsigned: Omit<RunState, 'signature'>): string =>
    `hmac-sha256:${bytesToHex(hmac(sha256, bytes, utf8ToBytes(canonicalJson({ ...unsigned }))))}`;

  return {
    seal(state) {
      const text = JSON.stringify(state);
      const body: unknown = cipher === undefined ? text : cipher.encrypt(text);
      // Anything else could never be read again.
      if (typeof body !== 'string') throw new TypeError('a cipher encrypts to a text');
      const unsigned = {
        format: 'toolgate-run',
        version: RUN_STATE_VERSION,
        runId: state.runId,
        body,
        encrypted: cipher !== undefined,
      } as const;
      return Object.freeze({ ...unsigned, signature: sign(unsigned) });
    },
    open(given) {
      const { signature, ...unsigned } = readForm(given);
      if (!equal(signature, sign(unsigned))) {
        throw new AgentError('agent/state-invalid', 'the state was changed, or signed with another key');
      }
      if (unsigned.encrypted !== (cipher !== undefined)) {
        throw new AgentError('agent/state-foreign', 'the state and the agent disagree on encryption');
      }
      let state: LoopState;
      try {
        const text = cipher === undefined ? unsigned.body : cipher.decrypt(unsigned.body);
        // Ours, because the signature is: nobody else wrote it, and it may hold what no stranger's text may.
        state = readLoopState(freezeJson(JSON.parse(text) as JsonValue));
      } catch (cause) {
        throw new AgentError('agent/state-invalid', 'the body of the state cannot be read', { cause });
      }
      if (state.runId !== unsigned.runId)
        throw new AgentError('agent/state-invalid', 'the state and its body are of two runs');
      return state;
    },
  };
}

function readForm(state: unknown): RunState {
  const form =
    typeof state === 'object' && state !== null ? (state as Partial<RunState> & JsonObject) : undefined;
  if (form?.format !== 'toolgate-run')
    throw new AgentError('agent/state-invalid', 'this is not the state of a run');
  if (form.version !== RUN_STATE_VERSION) {
    throw new AgentError('agent/state-foreign', 'the state has a version that this agent does not read');
  }
  const { runId, body, encrypted, signature } = form;
  if (
    Object.keys(form).sort().join() !== MEMBERS.join() ||
    typeof runId !== 'string' ||
    typeof body !== 'string' ||
    typeof encrypted !== 'boolean' ||
    typeof signature !== 'string'
  ) {
    throw new AgentError('agent/state-invalid', 'the state has a missing, unknown or malformed member');
  }
  return { format: 'toolgate-run', version: RUN_STATE_VERSION, runId, body, encrypted, signature };
}

/** Takes the same time wherever two texts differ. */
function equal(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let index = 0; index < right.length; index++) {
    difference |= left.charCodeAt(index % Math.max(left.length, 1)) ^ right.charCodeAt(index);
  }
  return difference === 0;
}
