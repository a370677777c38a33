// SPDX-License-Identifier: Apache-2.0
import type { ResourceCall } from "./call-context.ts";

export interface ImportContext<C> extends ResourceCall<C> {
  /** What the practitioner named the resource by. */
  readonly id: string;
}

/** An import that fills `K` and leaves the rest to `read`. */
export interface Importer<K extends string> {
  readonly attributes: readonly K[];
  /** What stands between the parts of an id, where there is more than one attribute. */
  readonly separator: string;
}

/**
 * Imports by putting the id into an attribute. With more than one attribute the id has a part for each, with slashes
 * between: `importById("project", "name")` takes `demo/site`; the last part may itself contain slashes.
 */
export const importById: <const K extends string>(...attributes: readonly [K, ...K[]]) => Importer<K> = (...attributes) => ({
  attributes,
  separator: "/",
});
