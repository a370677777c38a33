// SPDX-License-Identifier: Apache-2.0
import type { DeferrableCall } from "./defer.ts";
import type { Identity, IdentifyingCall, IdentityTypes } from "./identity.ts";
import type { ResourceCall } from "./call-context.ts";

/** Context of a resource's `importState` handler. */
export interface ImportContext<C, I extends IdentityTypes = {}> extends ResourceCall<C>, IdentifyingCall<I>, DeferrableCall {
  /** The id that the practitioner gave; empty for an import by identity. */
  readonly id: string;
  /** The identity that the practitioner gave; null for an import by id. */
  readonly identity: Identity<I> | null;
}

/** An import that sets the attributes `K` and leaves the rest to `read`. */
export interface Importer<K extends string> {
  readonly attributes: readonly K[];
  /** Separator between the parts of an id if there are several attributes. */
  readonly separator: string;
}

/**
 * Imports a resource by storing its id in an attribute. With several attributes, slashes separate the parts of the id:
 * `importById("project", "name")` accepts `demo/site`, and only the last part may contain slashes. An import by identity stores the
 * identity's values in the attributes of the same names.
 */
export const importById: <const K extends string>(...attributes: readonly [K, ...K[]]) => Importer<K> = (...attributes) => ({
  attributes,
  separator: "/",
});
