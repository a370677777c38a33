// SPDX-License-Identifier: Apache-2.0
import type { DeferrableCall } from "./defer.ts";
import type { Identity, IdentifyingCall, IdentityTypes } from "./identity.ts";
import type { ResourceCall } from "./call-context.ts";

export interface ImportContext<C, I extends IdentityTypes = {}> extends ResourceCall<C>, IdentifyingCall<I>, DeferrableCall {
  /** What the practitioner named the resource by; empty where that is an identity. */
  readonly id: string;
  /** The identity it was named by; null where that is an id. */
  readonly identity: Identity<I> | null;
}

/** An import that fills `K` and leaves the rest to `read`. */
export interface Importer<K extends string> {
  readonly attributes: readonly K[];
  /** What stands between the parts of an id, where there is more than one attribute. */
  readonly separator: string;
}

/**
 * Imports by putting the id into an attribute. With more than one attribute the id has a part for each, with slashes
 * between: `importById("project", "name")` takes `demo/site`; the last part may itself contain slashes. An import by identity
 * puts the identity's values into the attributes of the same names.
 */
export const importById: <const K extends string>(...attributes: readonly [K, ...K[]]) => Importer<K> = (...attributes) => ({
  attributes,
  separator: "/",
});
