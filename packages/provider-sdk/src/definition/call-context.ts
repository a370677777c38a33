// SPDX-License-Identifier: Apache-2.0
import type { Log } from "../logger.ts";
import type { AttributePath, Schema, Views } from "./schema.ts";

/** A value or a promise of it. `Promise` and not `PromiseLike`, so that the compiler compares the promised types, not `then` methods. */
export type Awaitable<T> = T | Promise<T>;

/** A value that JSON can carry. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** The context of every handler. */
export interface Call<C> {
  /** The client: the result of `configure`. */
  readonly client: C;
  /** Aborts when the practitioner interrupts the run, and when the caller cancels this call. */
  readonly signal: AbortSignal;
  /** Adds a warning diagnostic. */
  readonly warn: (summary: string, detail?: string) => void;
  /** Writes lines to the core's log. */
  readonly log: Log;
}

/** Adds an error diagnostic at an attribute. The handler continues; its result is kept, and the operation fails. */
export type ReportError<S extends Schema> = (attribute: AttributePath<S>, summary: string, detail?: string) => void;

/** Adds a warning diagnostic, at `attribute` if it is given. */
export type ReportWarning<S extends Schema> = (summary: string, detail?: string, attribute?: AttributePath<S>) => void;

/**
 * JSON values that are stored with the resource and hidden from practitioners, such as etags and versions that a later call needs.
 * Names that start with a dot are rejected.
 */
export interface PrivateState {
  /** Returns the value that is stored under the name, or undefined. */
  readonly get: (name: string) => JsonValue | undefined;
  readonly set: (name: string, value: JsonValue) => void;
  readonly delete: (name: string) => void;
}

/** Context of the handlers of one existing or future resource. */
export interface ResourceCall<C> extends Call<C> {
  readonly privateState: PrivateState;
}

/** Context of a `validate` handler. It has no client, because the provider may not be configured yet. */
export interface ValidateContext<S extends Schema> {
  readonly config: Views<S>["configDraft"];
  readonly error: ReportError<S>;
  readonly warn: ReportWarning<S>;
  readonly signal: AbortSignal;
  readonly log: Log;
}
