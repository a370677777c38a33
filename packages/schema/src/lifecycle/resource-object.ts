// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";

/** Remote object as it is stored between operations: what a state file holds of one resource instance. */
export interface ResourceObject {
  /** Of the resource type's implied type: wholly known, unmarked and not null. */
  readonly value: Value;
  /** Private data of the provider. Opaque. */
  readonly private: Uint8Array;
  readonly identity?: Value;
  /** `tainted`: the object may be incomplete, and the next plan replaces it. */
  readonly status: "ready" | "tainted";
  /** Schema version of `value`. */
  readonly schemaVersion: number;
}

/** Creates an object. An identity that is undefined or null is left out. */
export function createResourceObject(parts: Omit<ResourceObject, "identity"> & { readonly identity: Value | undefined }): ResourceObject {
  const { identity, ...rest } = parts;
  return identity && identity.payload !== null ? { ...rest, identity } : rest;
}
