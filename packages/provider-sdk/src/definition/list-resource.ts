// SPDX-License-Identifier: Apache-2.0
import type { Awaitable, Call, ValidateContext } from "./call-context.ts";
import type { Config, Schema, Sound } from "./schema.ts";
import type { ConfigRule } from "../rules/rule.ts";

/** A resource that exists, whoever made it. */
export interface FoundResource<T, I> {
  readonly identity: I;
  /** What a person calls it. */
  readonly displayName: string;
  /** Its whole state, where {@link ListContext.includeResource} asks for it; ignored where not. */
  readonly resource?: T;
}

export interface ListContext<C, S extends Schema> extends Call<C> {
  readonly config: Config<S>;
  /** Whether each result needs its state: where not, the calls that only find that out can be spared. */
  readonly includeResource: boolean;
  /** How many results will be taken at most; undefined: all. The server stops there by itself. */
  readonly limit: number | undefined;
}

/**
 * Finds resources of one type, for `terraform query` of Terraform 1.14. The schema is that of the block's configuration: required
 * and optional attributes, and blocks.
 */
export interface ListResourceDefinition<C, S extends Schema, T, I> {
  /** What can be listed and how. Markdown. */
  readonly description?: string;
  /** Why and what to use instead; whoever uses it is warned with it. */
  readonly deprecated?: string;
  readonly schema?: S & Sound<S>;
  /** About more than one attribute: `exactlyOneOf("file", "url")`. */
  readonly rules?: readonly ConfigRule<keyof S & string>[];
  /** Asked when everything the schema itself says holds. */
  readonly validate?: (context: ValidateContext<S>) => Awaitable<void>;
  /**
   * Best an `async function*`, so that results are shown as they are found, and nothing is fetched that nobody asks for any more.
   */
  readonly list: (context: ListContext<C, S>) => AsyncIterable<FoundResource<T, I>> | Awaitable<Iterable<FoundResource<T, I>>>;
}
