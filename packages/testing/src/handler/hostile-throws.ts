/** What a careless or broken handler throws. */
export interface HostileThrow {
  /** For use in data files and test names. */
  readonly id: string;
  /** Texts inside the thrown value that must reach neither the model nor anything that is serialised for it. */
  readonly secrets: readonly string[];
  /** Makes the value anew, so that one test cannot change what the next one throws. */
  readonly make: () => unknown;
}

const DSN = 'postgres://app:hunter2@db.internal:5432/prod';
const HOST = '10.0.0.5';
const TOKEN = 'sk-live-51Hx0secret';
const PATH = '/srv/app/src/tools/postgres.ts:142:8';

const dsnError = (): Error => new Error(`connect ECONNREFUSED ${HOST}:5432 ${DSN}`);

function withMembers(error: Error, members: Readonly<Record<string, unknown>>): Error {
  return Object.assign(error, members);
}

function withGetter(error: Error, member: string): Error {
  return Object.defineProperty(error, member, {
    get: () => {
      throw new Error(`reading ${member} leaks ${TOKEN}`);
    },
  });
}

// Every trap throws: whoever touches the value in any way learns it the hard way.
function trapped(target: object): object {
  const handler: ProxyHandler<object> = {};
  for (const trap of Reflect.ownKeys(Reflect)) {
    if (typeof trap !== 'string') continue;
    Object.defineProperty(handler, trap, {
      value: () => {
        throw new Error(`trap ${trap} leaks ${TOKEN}`);
      },
    });
  }
  return new Proxy(target, handler);
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function deepCause(depth: number): Error {
  let error = dsnError();
  for (let level = 0; level < depth; level += 1)
    error = new Error(`level ${level} of ${HOST}`, { cause: error });
  return error;
}

function cyclicCause(): Error {
  const first = new Error(`first ${DSN}`);
  const second = new Error(`second ${HOST}`, { cause: first });
  return Object.defineProperty(first, 'cause', { value: second });
}

const of = (id: string, make: () => unknown, ...secrets: readonly string[]): HostileThrow =>
  Object.freeze({ id, make, secrets: Object.freeze(secrets) });

/** Things that handlers in the field throw, and things that only an adversary would. Frozen; ids are unique. */
export const HOSTILE_THROWS: readonly HostileThrow[] = Object.freeze([
  of('undefined', () => undefined),
  of('null', () => null),
  of('false', () => false),
  of('zero', () => 0),
  of('empty-string', () => ''),
  of('string', () => `denied for ${DSN}`, DSN),
  of('bigint', () => 10n),
  of('symbol', () => Symbol(TOKEN), TOKEN),
  of('function', () => () => TOKEN, TOKEN),
  of('plain-object', () => ({ message: DSN, stack: PATH }), DSN, PATH),
  of('null-prototype', () => Object.assign(Object.create(null), { message: DSN }), DSN),
  of('error-message', dsnError, DSN, HOST),
  of(
    'error-stack',
    () => withMembers(new Error('failed'), { stack: `Error: failed\n    at query (${PATH})` }),
    PATH,
  ),
  of('error-cause', () => new Error('query failed', { cause: dsnError() }), DSN, HOST),
  of(
    'error-members',
    () => withMembers(new Error('http 401'), { headers: { authorization: TOKEN }, host: HOST }),
    TOKEN,
    HOST,
  ),
  of('error-name', () => withMembers(new Error('failed'), { name: DSN }), DSN),
  of('error-frozen', () => Object.freeze(dsnError()), DSN),
  of('error-deep-cause', () => deepCause(2_000), DSN, HOST),
  of('error-cyclic-cause', cyclicCause, DSN, HOST),
  of(
    'error-self-cause',
    () => {
      const error = dsnError();
      return Object.defineProperty(error, 'cause', { value: error });
    },
    DSN,
  ),
  of('error-huge-message', () => new Error(TOKEN.repeat(200_000)), TOKEN),
  of('aggregate', () => new AggregateError([dsnError(), new Error(TOKEN)], 'all failed'), DSN, TOKEN, HOST),
  of('aggregate-getter', () => withGetter(new AggregateError([], 'all failed'), 'errors'), TOKEN),
  of('message-getter', () => withGetter(new Error('failed'), 'message'), TOKEN),
  of('cause-getter', () => withGetter(new Error('failed'), 'cause'), TOKEN),
  of('stack-getter', () => withGetter(new Error('failed'), 'stack'), TOKEN),
  of('name-getter', () => withGetter(new Error('failed'), 'name'), TOKEN),
  of(
    'to-string',
    () => ({
      toString: () => {
        throw new Error(TOKEN);
      },
    }),
    TOKEN,
  ),
  of(
    'to-primitive',
    () => ({
      [Symbol.toPrimitive]: () => {
        throw new Error(TOKEN);
      },
    }),
    TOKEN,
  ),
  of('to-json', () => ({ toJSON: () => DSN }), DSN),
  of(
    'thenable',
    () => ({
      then: () => {
        throw new Error(TOKEN);
      },
    }),
    TOKEN,
  ),
  of('trapped-proxy', () => trapped({}), TOKEN),
  of('trapped-error', () => trapped(dsnError()), DSN, TOKEN),
  of('trapped-function', () => trapped(() => {}), TOKEN),
  of('revoked-proxy', revoked),
  // Looks like the caller's own cancellation or deadline, which it is not.
  of('abort-look-alike', () => new DOMException(`aborted by ${HOST}`, 'AbortError'), HOST),
  of('timeout-look-alike', () => new DOMException(`timed out at ${HOST}`, 'TimeoutError'), HOST),
  // Has the name and the members of an error that may be published, but was not made by its constructor.
  of(
    'tool-error-look-alike',
    () => withMembers(new Error(DSN), { name: 'ToolError', code: 'tool/error', text: DSN }),
    DSN,
  ),
  of(
    'failure-look-alike',
    () =>
      withMembers(new Error('no'), {
        name: 'Failure',
        code: 'tool/failure',
        kind: 'rejected',
        output: { parts: [{ kind: 'text', text: TOKEN }] },
      }),
    TOKEN,
  ),
  of(
    'permanent-look-alike',
    () => withMembers(new Error(DSN), { name: 'PermanentError', code: 'tool/permanent' }),
    DSN,
  ),
]);

/**
 * Makes a handler that throws one of {@link HOSTILE_THROWS}.
 *
 * @param id - Which one.
 * @param how - `throw` throws before a promise exists, `reject` afterwards. Default `reject`.
 * @throws RangeError for an unknown id.
 */
export function createThrowingHandler(id: string, how: 'throw' | 'reject' = 'reject'): () => Promise<never> {
  const found = HOSTILE_THROWS.find((candidate) => candidate.id === id);
  if (found === undefined) throw new RangeError(`no hostile throw is called ${id}`);
  if (how === 'throw') {
    return () => {
      throw found.make();
    };
  }
  // Not an async function: its rejection would be the same, but a thenable must not be followed.
  return () => new Promise((_resolve, reject) => reject(found.make()));
}
