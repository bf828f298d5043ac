import type { JsonObject } from '@toolgate/core';
import type { Refusal } from '../http/refusal.ts';
import type { Principal } from '../ports/principal.ts';
import type { AdminServices } from './admin-services.ts';

/** One request to the admin API, checked against its endpoint. */
export interface AdminRequest {
  readonly principal: Principal;
  readonly requestId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** `{}` where the endpoint takes none. */
  readonly body: JsonObject;
}

/** The answer of an endpoint. */
export type AdminAnswer =
  | { readonly kind: 'json'; readonly status?: number; readonly body: unknown }
  /** Whole lines. */
  | { readonly kind: 'lines'; readonly contentType: string; readonly lines: AsyncIterable<string> }
  /** With more in the body than the refusal says. */
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly more?: JsonObject };

/** One address of the admin API: what is served and what the OpenAPI document says are made of the same thing. */
export interface AdminEndpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With `:name` for a parameter. */
  readonly path: string;
  /** Unique; a verb and a noun. */
  readonly operation: string;
  readonly summary: string;
  /** What may be in the query, by name, as JSON Schema of a string. */
  readonly query?: Readonly<Record<string, JsonObject>>;
  /** JSON Schema of the body; absent: there is none. */
  readonly body?: JsonObject;
  /** Whether a request without a body is one with `{}`. Default `false`. */
  readonly bodyOptional?: true;
  /** Statuses besides those that every endpoint may answer. */
  readonly answers: Readonly<Record<number, string>>;
  readonly handle: (request: AdminRequest, services: AdminServices) => Promise<AdminAnswer>;
}

/** Answers with a value. */
export function json(body: unknown, status = 200): AdminAnswer {
  return { kind: 'json', status, body };
}
