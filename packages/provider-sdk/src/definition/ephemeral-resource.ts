// SPDX-License-Identifier: Apache-2.0
import type { Awaitable, ResourceCall, ValidateContext, ReportWarning } from "./call-context.ts";
import type { DeferrableCall } from "./defer.ts";
import type { Config, Result, Schema, ValidSchema } from "./schema.ts";
import type { ConfigRule } from "./config-rule.ts";

/** Context of handlers that set the renewal time of an ephemeral resource. */
export interface RenewableCall<C> extends ResourceCall<C> {
  /** Sets the time at which the core calls `renew`; choose it before the resource expires. Default: the resource does not expire. */
  readonly renewAt: (time: Date) => void;
}

/** Context of an ephemeral resource's `open` handler. */
export interface OpenContext<C, S extends Schema> extends RenewableCall<C>, DeferrableCall {
  readonly config: Config<S>;
  readonly warn: ReportWarning<S>;
  /** Returns its argument. In a handler with a block body, it makes the compiler report an error at the attribute that causes it. */
  readonly result: (result: Result<S>) => Result<S>;
}

/**
 * The definition of an ephemeral resource: opened for one run and never recorded, such as a token. Terraform 1.10 and OpenTofu 1.11.
 * `open` stores the data that `renew` and `close` need in the private state.
 */
export interface EphemeralResourceDefinition<C, S extends Schema> {
  /** Description for the documentation. Markdown. */
  readonly description?: string;
  /** Warning for practitioners that use it: the reason for the deprecation, and what to use instead. */
  readonly deprecated?: string;
  readonly schema: S & ValidSchema<S>;
  /** Rules about several attributes: `exactlyOneOf("file", "url")`. */
  readonly rules?: readonly ConfigRule<keyof S & string>[];
  /** Validates the configuration after the schema's own checks have passed. */
  readonly validate?: (context: ValidateContext<S>) => Awaitable<void>;
  readonly open: (context: OpenContext<C, S>) => Awaitable<Result<S>>;
  /** Renews the resource. Required if `open` calls `renewAt`. */
  readonly renew?: (context: RenewableCall<C>) => Awaitable<void>;
  /** Closes the resource when the run no longer needs it, also after a failure. */
  readonly close?: (context: ResourceCall<C>) => Awaitable<void>;
}
