import { digest } from '@toolgate/core';
import { payment } from './approval-fixtures.ts';
import type { TestGateway } from './gateway-fixture.ts';
import { post } from './post.ts';

/** An answer of the admin API, its body read. */
export interface AdminAnswered {
  readonly status: number;
  readonly body: unknown;
}

/** Asks the admin API; with a body it is a POST. */
export async function ask(
  { url }: Pick<TestGateway, 'url'>,
  path: string,
  body?: unknown,
  options: { readonly key?: string; readonly method?: string } = {},
): Promise<AdminAnswered> {
  const { key, method = body === undefined ? 'GET' : 'POST' } = options;
  const text = body === undefined ? '' : JSON.stringify(body);
  const answered = await post(`${url}${path}`, text, { method, ...(key === undefined ? {} : { key }) });
  return { status: answered.status, body: JSON.parse(answered.body) as unknown };
}

/** Puts a payment up for a decision, with an hour to decide. */
export async function askPayment({ stores }: TestGateway, id: string, amount = 5): Promise<void> {
  const requestedAt = Date.now();
  const times = { requestedAt, expiresAt: requestedAt + 3_600_000 };
  await stores.approvals.create(
    payment(id, { ...times, arguments: { amount }, argumentsDigest: digest({ amount }) }),
  );
}

/** A member of a parsed JSON text, by its path; `undefined` where there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Readonly<Record<string | number, unknown>>)[name];
  }
  return found;
}
