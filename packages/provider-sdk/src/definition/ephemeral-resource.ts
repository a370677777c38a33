// SPDX-License-Identifier: Apache-2.0
import type { Awaitable, ResourceCall, ValidateContext } from "./call-context.ts";
import type { DeferrableCall } from "./defer.ts";
import type { Answer, Config, Schema, Sound } from "./schema.ts";
import type { ConfigRule } from "../rules/rule.ts";

/** Handlers that say how long what they hand out is good for. */
export interface RenewableCall<C> extends ResourceCall<C> {
  /** Asks for `renew` at this time, which is before it expires. Default: it never does. */
  readonly renewAt: (time: Date) => void;
}

export interface OpenContext<C, S extends Schema> extends RenewableCall<C>, DeferrableCall {
  readonly config: Config<S>;
  /** Answers its argument. In a handler with a block body it makes the compiler point at the wrong attribute. */
  readonly answer: (result: Answer<S>) => Answer<S>;
}

/**
 * An ephemeral resource: something that is opened for one run and recorded nowhere, such as a token. Terraform 1.10 and OpenTofu
 * 1.11. `renew` and `close` know of it what `open` put into the private state.
 */
export interface EphemeralResourceDefinition<C, S extends Schema> {
  /** What it is. Markdown. */
  readonly description?: string;
  /** Why and what to use instead; whoever uses it is warned with it. */
  readonly deprecated?: string;
  readonly schema: S & Sound<S>;
  /** About more than one attribute: `exactlyOneOf("file", "url")`. */
  readonly rules?: readonly ConfigRule<keyof S & string>[];
  /** Asked when everything the schema itself says holds. */
  readonly validate?: (context: ValidateContext<S>) => Awaitable<void>;
  readonly open: (context: OpenContext<C, S>) => Awaitable<Answer<S>>;
  /** Needed where `open` says when to renew. */
  readonly renew?: (context: RenewableCall<C>) => Awaitable<void>;
  /** When it is not needed any more, also after a failure. */
  readonly close?: (context: ResourceCall<C>) => Awaitable<void>;
}
