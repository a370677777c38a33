// SPDX-License-Identifier: Apache-2.0
import type { Payload } from "../payload/payload.ts";
import type { Type } from "./type.ts";

/**
 * A value and its type. Values are immutable: every operation is a function that returns a new value.
 *
 * Where `T` contains {@link dynamic}, `type` is the concrete type of this value.
 */
export interface Value<T extends Type = Type> {
  /** Type of the value. */
  readonly type: T;
  /** Internal representation, for libraries: see `@tenon/cty/unstable/payload`. */
  readonly payload: Payload;
}
