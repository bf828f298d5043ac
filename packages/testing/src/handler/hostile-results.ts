/** What a careless or broken handler returns. */
export interface HostileResult {
  /** For use in data files and test names. */
  readonly id: string;
  /** Texts inside the value that a model must not see. Empty where the value is only malformed. */
  readonly secrets: readonly string[];
  /** Makes the value anew. */
  readonly make: () => unknown;
}

const TOKEN = 'sk-live-51Hx0secret';
const DSN = 'postgres://app:hunter2@db.internal:5432/prod';

function cyclic(): object {
  const value: Record<string, unknown> = { name: 'loop' };
  value['self'] = value;
  return value;
}

function deep(depth: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

function throwingGetter(): object {
  return Object.defineProperty({ ok: 1 }, 'bad', {
    enumerable: true,
    get: () => {
      throw new Error(`getter leaks ${TOKEN}`);
    },
  });
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Answers each read differently: what was checked would not be what is sent. */
function changing(): object {
  let reads = 0;
  return Object.defineProperty({}, 'amount', {
    enumerable: true,
    get: () => {
      reads += 1;
      return reads;
    },
  });
}

function ownProto(): object {
  return Object.defineProperty({ a: 1 }, '__proto__', { value: { isAdmin: true }, enumerable: true });
}

class Account {
  readonly owner = 'ann';
  readonly #token = TOKEN;

  toString(): string {
    return this.#token;
  }
}

const of = (id: string, make: () => unknown, ...secrets: readonly string[]): HostileResult =>
  Object.freeze({ id, make, secrets: Object.freeze(secrets) });

/** Results that handlers in the field return, and some that only an adversary would. Frozen; ids are unique. */
export const HOSTILE_RESULTS: readonly HostileResult[] = Object.freeze([
  of('undefined', () => undefined),
  of('null', () => null),
  of('empty-string', () => ''),
  of('function', () => () => TOKEN, TOKEN),
  of('symbol', () => Symbol(TOKEN), TOKEN),
  of('bigint', () => 10n),
  of('nested-bigint', () => ({ records: [{ id: 2_401_123_456_789_000_001n }] })),
  of('nan', () => Number.NaN),
  of('nested-nan', () => ({ ratio: Number.NaN })),
  of('infinity', () => ({ max: Number.POSITIVE_INFINITY })),
  of('negative-zero', () => -0),
  of('date', () => ({ at: new Date(0) })),
  of('invalid-date', () => ({ at: new Date(Number.NaN) })),
  of('map', () => new Map([['a', 1]])),
  of('set', () => new Set([1])),
  of('nested-function', () => ({ a: 1, run: () => TOKEN }), TOKEN),
  of('nested-symbol', () => ({ a: 1, mark: Symbol(TOKEN) }), TOKEN),
  of('undefined-member', () => ({ a: 1, gone: undefined })),
  of('undefined-element', () => [1, undefined, 3]),
  of('sparse-array', () => {
    const value = [1];
    value[3] = 4;
    return value;
  }),
  of('cyclic', cyclic),
  of('shared', () => {
    const common = { n: 1 };
    return [common, common];
  }),
  of('deep', () => deep(100_000)),
  of('lone-surrogate', () => 'ok \ud83d'),
  of('nested-lone-surrogate', () => ({ text: 'ok \ud83d' })),
  of('lone-surrogate-name', () => ({ '\udc00': 1 })),
  of('control-characters', () => 'a\u0000b\u001b[2Jc'),
  of('huge-text', () => 'log line\n'.repeat(600_000)),
  of('huge-json', () => Array.from({ length: 60_000 }, (_, index) => ({ index, name: 'row' }))),
  of('huge-emoji', () => '😀'.repeat(1_300_000)),
  of('throwing-getter', throwingGetter, TOKEN),
  of(
    'throwing-to-json',
    () => ({
      toJSON: () => {
        throw new Error(TOKEN);
      },
    }),
    TOKEN,
  ),
  of('to-json-cyclic', () => ({
    toJSON: cyclic,
  })),
  of('to-json', () => ({ token: TOKEN, toJSON: () => ({ owner: 'ann' }) }), TOKEN),
  of('changing-getter', changing),
  of('private-members', () => new Account(), TOKEN),
  of('error', () => new Error(`connect ${DSN}`), DSN),
  of('revoked-proxy', revoked),
  of('own-proto', ownProto),
  of('bytes', () => new Uint8Array([1, 2, 3])),
  of('boxed-string', () => Object('boxed')),
  of('thenable', () => ({
    then: (resolve: (value: unknown) => void) => resolve('from a thenable'),
  })),
  of(
    'thenable-twice',
    () => ({
      then: (resolve: (value: unknown) => void, reject: (thrown: unknown) => void) => {
        resolve('first');
        reject(new Error(TOKEN));
        resolve('second');
      },
    }),
    TOKEN,
  ),
  of(
    'thenable-throws',
    () => ({
      then: () => {
        throw new Error(TOKEN);
      },
    }),
    TOKEN,
  ),
  of(
    'then-getter',
    () =>
      Object.defineProperty({}, 'then', {
        get: () => {
          throw new Error(TOKEN);
        },
      }),
    TOKEN,
  ),
  of('never', () => new Promise(() => {})),
  of(
    'generator',
    () =>
      (function* parts() {
        yield 'a';
        yield TOKEN;
      })(),
    TOKEN,
  ),
  of(
    'async-generator',
    () =>
      (async function* parts() {
        yield 'a';
        yield TOKEN;
      })(),
    TOKEN,
  ),
]);

/**
 * Makes a handler that returns one of {@link HOSTILE_RESULTS}.
 *
 * @param id - Which one.
 * @param how - `return` hands the value out as it is, `resolve` through a promise. Default `resolve`.
 * @throws RangeError for an unknown id.
 */
export function createLeakingHandler(id: string, how: 'return' | 'resolve' = 'resolve'): () => unknown {
  const found = HOSTILE_RESULTS.find((candidate) => candidate.id === id);
  if (found === undefined) throw new RangeError(`no hostile result is called ${id}`);
  return how === 'return' ? () => found.make() : async () => found.make();
}
