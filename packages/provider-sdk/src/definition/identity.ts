// SPDX-License-Identifier: Apache-2.0
import type { AnyType, Members } from "./attribute.ts";

/**
 * What identifies a resource in the remote system, apart from its state: types by name, each a primitive or a list of one. All of
 * them name the resource in an import by identity; a `nullable` one may be left out there.
 */
export type IdentityTypes = Readonly<Record<string, AnyType>>;

/** The identity itself. */
export type Identity<I extends IdentityTypes> = Members<I>["known"];

/** Handlers that find out what a resource's identity is. */
export interface IdentifyingCall<I extends IdentityTypes> {
  /**
   * Gives the identity. Without it, it is made of the attributes of the answered state that have the same names; in `plan`, it stays
   * what is recorded.
   */
  readonly setIdentity: (identity: Identity<I>) => void;
}
