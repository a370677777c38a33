// SPDX-License-Identifier: Apache-2.0
import type { Awaitable, Call, ValidateContext, ReportWarning } from "./call-context.ts";
import type { DeferrableCall } from "./defer.ts";
import type { ProviderMeta } from "./module-meta.ts";
import type { Config, Result, Schema, ValidSchema } from "./schema.ts";
import type { ConfigRule } from "./config-rule.ts";

/** Context of a data source's `read` handler. */
export interface ReadDataSourceContext<C, S extends Schema> extends Call<C>, DeferrableCall {
  readonly config: Config<S>;
  readonly warn: ReportWarning<S>;
  /** The module's `provider_meta`, for `moduleMeta(…).read`. */
  readonly meta: ProviderMeta;
  /** Returns its argument. In a handler with a block body, it makes the compiler report an error at the attribute that causes it. */
  readonly result: (state: Result<S>) => Result<S>;
}

/**
 * The definition of a data source, which reads data and changes nothing. Its schema cannot contain defaults, write-only attributes or
 * plan modifiers.
 */
export interface DataSourceDefinition<C, S extends Schema> {
  /** Description for the documentation. Markdown. */
  readonly description?: string;
  /** Warning for practitioners that use the data source: the reason for the deprecation, and what to use instead. */
  readonly deprecated?: string;
  readonly schema: S & ValidSchema<S>;
  /** Rules about several attributes: `exactlyOneOf("file", "url")`. */
  readonly rules?: readonly ConfigRule<keyof S & string>[];
  /** Validates the configuration after the schema's own checks have passed. */
  readonly validate?: (context: ValidateContext<S>) => Awaitable<void>;
  readonly read: (context: ReadDataSourceContext<C, S>) => Awaitable<Result<S>>;
}
