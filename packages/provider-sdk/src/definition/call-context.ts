// SPDX-License-Identifier: Apache-2.0
import type { Log } from "../logger.ts";
import type { AttributePath, Schema, Views } from "./schema.ts";

/** `Promise` and not `PromiseLike`: the compiler then compares what is promised, and not two `then` methods. */
export type Awaitable<T> = T | Promise<T>;

/** A value that JSON can carry. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** What every handler is given. */
export interface Call<C> {
  /** What `configure` answered. */
  readonly client: C;
  /** Aborts when the practitioner interrupts the run, and when the caller gives this call up. */
  readonly signal: AbortSignal;
  /** Warns the practitioner. */
  readonly warn: (summary: string, detail?: string) => void;
  /** Lines for the core's log. */
  readonly log: Log;
}

/** Reports that something is wrong with an attribute. The handler goes on; what it answers is kept, and the operation fails. */
export type ReportError<S extends Schema> = (attribute: AttributePath<S>, summary: string, detail?: string) => void;

/**
 * JSON values that are stored with the resource and that no practitioner sees: etags, versions, what a handler wants to
 * know next time. Names that start with a dot are refused.
 */
export interface PrivateState {
  /** What is stored under the name; undefined where nothing is. */
  readonly get: (name: string) => JsonValue | undefined;
  readonly set: (name: string, value: JsonValue) => void;
  readonly delete: (name: string) => void;
}

/** Handlers of one existing or future resource. */
export interface ResourceCall<C> extends Call<C> {
  readonly privateState: PrivateState;
}

/** Validation, of a resource, a data source or the provider. It has no client: nothing may be configured yet. */
export interface ValidateContext<S extends Schema> {
  readonly config: Views<S>["configDraft"];
  readonly error: ReportError<S>;
  readonly warn: (summary: string, detail?: string) => void;
  readonly signal: AbortSignal;
  readonly log: Log;
}
