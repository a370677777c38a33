// SPDX-License-Identifier: Apache-2.0
import type { AnyType, Members } from "./attribute.ts";

/**
 * The identity of a resource in the remote system, separate from its state: attribute types by name, each a primitive type or a list of
 * one. An import by identity must give all of them except those that are `nullable`.
 */
export type IdentityTypes = Readonly<Record<string, AnyType>>;

/** The value of an identity. */
export type Identity<I extends IdentityTypes> = Members<I>["known"];

/** Context of handlers that may set a resource's identity. */
export interface IdentifyingCall<I extends IdentityTypes> {
  /**
   * Sets the identity. If a handler does not call it, the identity consists of the attributes with the same names in the returned state;
   * in `plan`, it stays the recorded identity.
   */
  readonly setIdentity: (identity: Identity<I>) => void;
}
