// SPDX-License-Identifier: Apache-2.0
import type { Awaitable, Call, ValidateContext } from "./call-context.ts";
import type { Config, Schema, ValidSchema } from "./schema.ts";
import type { ConfigRule } from "./config-rule.ts";

/** An existing resource in the remote system, whether or not a configuration manages it. */
export interface FoundResource<T, I> {
  readonly identity: I;
  /** Human-readable name of the resource. */
  readonly displayName: string;
  /** Its whole state if {@link ListContext.includeResource} is true; ignored otherwise. */
  readonly resource?: T;
}

/** Context of a list resource's `list` handler. */
export interface ListContext<C, S extends Schema> extends Call<C> {
  readonly config: Config<S>;
  /** Whether each result must contain its state. If false, the handler can omit requests that only fetch the state. */
  readonly includeResource: boolean;
  /** Maximum number of results; undefined means no limit. The server stops at the limit itself. */
  readonly limit: number | undefined;
}

/**
 * The definition of a list resource, which finds resources of one type for `terraform query` of Terraform 1.14. Its schema describes the
 * configuration of the `list` block: required and optional attributes, and blocks.
 */
export interface ListResourceDefinition<C, S extends Schema, T, I> {
  /** Description for the documentation. Markdown. */
  readonly description?: string;
  /** Warning for practitioners that use it: the reason for the deprecation, and what to use instead. */
  readonly deprecated?: string;
  readonly schema?: S & ValidSchema<S>;
  /** Rules about several attributes: `exactlyOneOf("file", "url")`. */
  readonly rules?: readonly ConfigRule<keyof S & string>[];
  /** Validates the configuration after the schema's own checks have passed. */
  readonly validate?: (context: ValidateContext<S>) => Awaitable<void>;
  /**
   * Returns or yields the resources. Prefer an `async function*`: the core then shows results as they are found, and the handler stops
   * fetching when the core stops reading.
   */
  readonly list: (context: ListContext<C, S>) => AsyncIterable<FoundResource<T, I>> | Awaitable<Iterable<FoundResource<T, I>>>;
}
