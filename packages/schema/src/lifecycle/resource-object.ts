// SPDX-License-Identifier: Apache-2.0
import type { Value } from "@tenon/cty";

/** A remote object as it is known between two operations: what a state file keeps of one resource instance. */
export interface ResourceObject {
  /** Of the resource type's implied type; wholly known, not null, without marks. */
  readonly value: Value;
  /** What the provider keeps for itself. Opaque. */
  readonly private: Uint8Array;
  readonly identity?: Value;
  /** `tainted`: it was left half made, and the next plan replaces it. */
  readonly status: "ready" | "tainted";
  /** Version of the schema that `value` follows. */
  readonly schemaVersion: number;
}

/** An object of the given parts; the identity is left out where it is undefined. */
export function createResourceObject(parts: Omit<ResourceObject, "identity"> & { readonly identity: Value | undefined }): ResourceObject {
  const { identity, ...rest } = parts;
  return identity && identity.payload !== null ? { ...rest, identity } : rest;
}
