// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";
import type { Diagnostic } from "@tenon/schema";
import type { EncodedObject, ResourceObject } from "@tenon/schema/lifecycle";

/** A record with any names. */
export type Fields = Readonly<Record<string, unknown>>;

/** A resource object as JSON data, for storing it between two runs. It contains sensitive values in plain text. */
export interface SerializedResource extends EncodedObject {
  readonly typeName: string;
}

/**
 * A remote object in its state at the end of an operation. A handle never changes; later operations return new handles.
 *
 * `JSON.stringify` writes it as a {@link SerializedResource}, with private data and identity; `fromJson` of the resource's client reads it.
 * `console.log` hides sensitive values and private data.
 */
export interface ResourceHandle<State = Fields, Identity = Fields | undefined, TypeName extends string = string> {
  readonly typeName: TypeName;
  readonly state: State;
  /** Undefined if the object has no identity. */
  readonly identity: Identity | undefined;
  /** Whether the object is complete: the next plan replaces a `tainted` one. */
  readonly status: "ready" | "tainted";
  /** The state as a cty value. */
  readonly value: Value;
  /** The object as an argument for `@tenon/schema/lifecycle`. */
  readonly object: ResourceObject;
  /** Warnings of the operation that returned this handle. Not part of its JSON. */
  readonly warnings: readonly Diagnostic[];
  toJSON(): SerializedResource;
}
