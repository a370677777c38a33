// SPDX-License-Identifier: Apache-2.0
import type { Awaitable, Call, ReportError, ValidateContext } from "./call-context.ts";
import type { DeferrableCall } from "./defer.ts";
import type { Config, Schema, Sound, Views } from "./schema.ts";
import type { ConfigRule } from "../rules/rule.ts";

export interface PlanActionContext<C, S extends Schema> extends Call<C>, DeferrableCall {
  /** Anything may be unknown. */
  readonly config: Views<S>["configDraft"];
  readonly error: ReportError<S>;
}

export interface InvokeContext<C, S extends Schema> extends Call<C> {
  readonly config: Config<S>;
  /** Tells the practitioner how far it is, at once. */
  readonly progress: (message: string) => void;
  readonly error: ReportError<S>;
}

/**
 * An action: something that is done and leaves no state, such as restarting a machine. Terraform 1.14. Its schema has required,
 * optional and write-only attributes, and blocks.
 */
export interface ActionDefinition<C, S extends Schema> {
  /** What it does. Markdown. */
  readonly description?: string;
  /** Why and what to use instead; whoever uses it is warned with it. */
  readonly deprecated?: string;
  readonly schema?: S & Sound<S>;
  /** About more than one attribute: `exactlyOneOf("file", "url")`. */
  readonly rules?: readonly ConfigRule<keyof S & string>[];
  /** Asked when everything the schema itself says holds. */
  readonly validate?: (context: ValidateContext<S>) => Awaitable<void>;
  /** Refuses or warns while a plan is made, when nothing has been done yet. */
  readonly plan?: (context: PlanActionContext<C, S>) => Awaitable<void>;
  readonly invoke: (context: InvokeContext<C, S>) => Awaitable<void>;
}
