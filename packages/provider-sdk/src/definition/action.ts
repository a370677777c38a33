// SPDX-License-Identifier: Apache-2.0
import type { Awaitable, Call, ReportError, ValidateContext, ReportWarning } from "./call-context.ts";
import type { DeferrableCall } from "./defer.ts";
import type { Config, Schema, ValidSchema, Views } from "./schema.ts";
import type { ConfigRule } from "./config-rule.ts";

/** Context of an action's `plan` handler. */
export interface PlanActionContext<C, S extends Schema> extends Call<C>, DeferrableCall {
  /** The configuration; any value may be unknown. */
  readonly config: Views<S>["configDraft"];
  readonly error: ReportError<S>;
  readonly warn: ReportWarning<S>;
}

/** Context of an action's `invoke` handler. */
export interface InvokeContext<C, S extends Schema> extends Call<C> {
  readonly config: Config<S>;
  /** Sends a progress message to the practitioner immediately. */
  readonly progress: (message: string) => void;
  readonly error: ReportError<S>;
  readonly warn: ReportWarning<S>;
}

/**
 * The definition of an action: an operation without state, such as restarting a machine. Terraform 1.14. Its schema may contain
 * required, optional and write-only attributes, and blocks.
 */
export interface ActionDefinition<C, S extends Schema> {
  /** Description for the documentation. Markdown. */
  readonly description?: string;
  /** Warning for practitioners that use it: the reason for the deprecation, and what to use instead. */
  readonly deprecated?: string;
  readonly schema?: S & ValidSchema<S>;
  /** Rules about several attributes: `exactlyOneOf("file", "url")`. */
  readonly rules?: readonly ConfigRule<keyof S & string>[];
  /** Validates the configuration after the schema's own checks have passed. */
  readonly validate?: (context: ValidateContext<S>) => Awaitable<void>;
  /** Rejects the action or adds warnings during planning, before anything is done. */
  readonly plan?: (context: PlanActionContext<C, S>) => Awaitable<void>;
  readonly invoke: (context: InvokeContext<C, S>) => Awaitable<void>;
}
