import { type Digest, digestText } from '@toolgate/core';
import { ControlError } from '../control-error.ts';
import { checkProtocolState, type ProtocolState } from './protocol-state.ts';

const PREFIX = 'tgc1.';
/** Two counts, two flags, 32 bytes of fingerprint, 8 bytes that tell a damaged token. */
const FIELDS = 44;
const SUM = 8;

/**
 * Writes a state so that it can be carried outside the process: a version and fixed fields, always the same text for the
 * same state, under 100 bytes. It is not secret and not signed; whoever gives it out to be brought back signs it.
 *
 * @throws ControlError `control/token-invalid` for what is no state.
 */
export function writeProtocolToken(state: ProtocolState): string {
  const { reprompts, consecutiveNoProgress, terminal, lastFingerprint } = checkProtocolState(state);
  const bytes = new Uint8Array(FIELDS);
  bytes.set([reprompts, consecutiveNoProgress, terminal ? 1 : 0, lastFingerprint === '' ? 0 : 1]);
  if (lastFingerprint !== '') bytes.set(fromHex(lastFingerprint.slice('sha256:'.length)), 4);
  bytes.set(sumOf(bytes), FIELDS - SUM);
  return PREFIX + toBase64Url(bytes);
}

/**
 * Reads what {@link writeProtocolToken} wrote. A damaged or foreign token is an error and never a fresh start.
 *
 * @throws ControlError `control/token-invalid`.
 */
export function readProtocolToken(token: string): ProtocolState {
  const bytes = typeof token === 'string' && token.startsWith(PREFIX) ? fromBase64Url(token) : undefined;
  if (bytes?.length !== FIELDS) throw invalid();
  const [reprompts = 0, consecutiveNoProgress = 0, terminal = 0, known = 0] = bytes;
  const lastFingerprint: Digest | '' = known === 1 ? `sha256:${toHex(bytes.subarray(4, FIELDS - SUM))}` : '';
  const state = { reprompts, lastFingerprint, consecutiveNoProgress, terminal: terminal === 1 };
  // Only the one text that this state has is its token.
  if (writeProtocolToken(state) !== token) throw invalid();
  return Object.freeze(state);
}

function sumOf(bytes: Uint8Array): Uint8Array {
  return fromHex(digestText(`${PREFIX}${toHex(bytes.subarray(0, FIELDS - SUM))}`).slice(7, 7 + SUM * 2));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function fromBase64Url(token: string): Uint8Array | undefined {
  const text = token.slice(PREFIX.length);
  if (text.length > 64 || !/^[A-Za-z0-9_-]*$/.test(text)) return undefined;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (unit) => unit.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function invalid(): ControlError {
  return new ControlError(
    'control/token-invalid',
    'The token of the control protocol is damaged or foreign.',
  );
}
