// SPDX-License-Identifier: Apache-2.0
import type { Awaitable, Call, ValidateContext } from "./call-context.ts";
import type { DeferrableCall } from "./defer.ts";
import type { SaidMeta } from "./module-meta.ts";
import type { Answer, Config, Schema, Sound } from "./schema.ts";
import type { ConfigRule } from "../rules/rule.ts";

export interface ReadDataSourceContext<C, S extends Schema> extends Call<C>, DeferrableCall {
  readonly config: Config<S>;
  /** For `moduleMeta(…).read`. */
  readonly meta: SaidMeta;
  /** Answers its argument. In a handler with a block body it makes the compiler point at the wrong attribute. */
  readonly answer: (state: Answer<S>) => Answer<S>;
}

/** A data source: what is read and never changed. Its schema has no defaults, write-only attributes or plan modifiers. */
export interface DataSourceDefinition<C, S extends Schema> {
  /** What it is. Markdown. */
  readonly description?: string;
  /** Why and what to use instead; whoever uses the data source is warned with it. */
  readonly deprecated?: string;
  readonly schema: S & Sound<S>;
  /** About more than one attribute: `exactlyOneOf("file", "url")`. */
  readonly rules?: readonly ConfigRule<keyof S & string>[];
  /** Asked when everything the schema itself says holds. */
  readonly validate?: (context: ValidateContext<S>) => Awaitable<void>;
  readonly read: (context: ReadDataSourceContext<C, S>) => Awaitable<Answer<S>>;
}
