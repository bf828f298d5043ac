import { memberOf, tamper } from './authorizers.ts';
import { pause, type Stage } from './stage.ts';

/** Decides about one call that needs approval. */
export type CorpusApprover = (request: { readonly arguments: unknown }) => unknown;

const DSN = 'postgres://app:hunter2@db.internal:5432/prod';

/** Who answers for calls that need approval, by id. */
export const approvers: ReadonlyMap<string, (stage: Stage) => CorpusApprover> = new Map<
  string,
  (stage: Stage) => CorpusApprover
>([
  ['allow', () => () => 'allow'],
  ['allow-object', () => () => ({ decision: 'allow' })],
  ['allow-later', (stage) => () => pause(stage, 50).then(() => 'allow')],
  ['decline', () => () => 'decline'],
  ['decline-object', () => () => ({ decision: 'decline' })],
  ['decline-reason', () => () => ({ decision: 'decline', reason: 'Use the staging account.' })],
  [
    'decline-once',
    () => {
      let asked = 0;
      return () => {
        asked += 1;
        return asked === 1 ? 'decline' : 'allow';
      };
    },
  ],
  ['decline-huge-reason', () => () => ({ decision: 'decline', reason: 'no '.repeat(200_000) })],
  ['decline-control-reason', () => () => ({ decision: 'decline', reason: 'no\u001b[2J\u0000\u200bway' })],
  ['decline-bad-reason', () => () => ({ decision: 'decline', reason: 7 })],
  ['defer', () => () => 'defer'],
  ['defer-object', () => () => ({ decision: 'defer' })],
  [
    'throw',
    () => () => {
      throw new Error(`reviewer queue ${DSN} is down`);
    },
  ],
  ['reject', () => () => Promise.reject(new Error(`reviewer queue ${DSN} is down`))],
  ['throw-undefined', () => () => Promise.reject(undefined)],
  ['true', () => () => true],
  ['false', () => () => false],
  ['undefined', () => () => undefined],
  ['null', () => () => null],
  ['one', () => () => 1],
  ['yes', () => () => 'yes'],
  ['allowed', () => () => 'allowed'],
  ['upper-case', () => () => 'ALLOW'],
  ['empty-object', () => () => ({})],
  ['approved-object', () => () => ({ approved: true })],
  ['unknown-decision', () => () => ({ decision: 'maybe' })],
  ['list', () => () => ['allow']],
  [
    'getter-throws',
    () => () =>
      Object.defineProperty({}, 'decision', {
        enumerable: true,
        get: () => {
          throw new Error(`reviewer queue ${DSN} is down`);
        },
      }),
  ],
  // Says `allow` when it is checked and something else when it is read again.
  [
    'changing-decision',
    () => () => {
      let reads = 0;
      return Object.defineProperty({}, 'decision', {
        enumerable: true,
        get: () => {
          reads += 1;
          return reads === 1 ? 'decline' : 'allow';
        },
      });
    },
  ],
  [
    'tamper',
    () => (request) => {
      tamper(request.arguments);
      return 'allow';
    },
  ],
  [
    'tamper-later',
    () => (request) => {
      void Promise.resolve().then(() => tamper(request.arguments));
      return 'allow';
    },
  ],
  ['edit', () => () => ({ decision: 'allow', arguments: { amount: 5, account: 'b' } })],
  ['edit-out-of-range', () => () => ({ decision: 'allow', arguments: { amount: 100_000, account: 'b' } })],
  [
    'edit-unknown-member',
    () => () => ({ decision: 'allow', arguments: { amount: 5, account: 'b', note: 'x' } }),
  ],
  ['edit-no-object', () => () => ({ decision: 'allow', arguments: 'amount=5' })],
  ['edit-not-json', () => () => ({ decision: 'allow', arguments: { amount: Number.NaN, account: 'b' } })],
  ['edit-misspelt', () => () => ({ decision: 'allow', argument: { amount: 5, account: 'b' } })],
  ['below-10', () => (request) => (Number(memberOf(request, 'n')) < 10 ? 'allow' : 'decline')],
  [
    'cancel-then-allow',
    (stage) => () => {
      stage.cancel();
      return 'allow';
    },
  ],
  ['never', (stage) => () => stage.released.then(() => 'allow')],
]);
