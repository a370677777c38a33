// SPDX-License-Identifier: Apache-2.0
import { valueGoString } from "./go-string.ts";
import type { Payload } from "./payload.ts";
import { isType, type Type } from "./type.ts";

/**
 * A value of a type. Immutable: operations are functions that return other values.
 *
 * Where `T` contains {@link dynamic}, `type` is the concrete type of this very value.
 */
export interface Value<T extends Type = Type> {
  readonly type: T;
  /** For libraries: see `@tenon/cty/unstable/payload`. */
  readonly payload: Payload;
}

const inspect: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;

class TypedPayload<T extends Type> implements Value<T> {
  readonly type: T;
  readonly payload: Payload;

  constructor(type: T, payload: Payload) {
    this.type = type;
    this.payload = payload;
  }

  /** Go's notation, which OpenTofu's messages use too. */
  [inspect](): string {
    return valueGoString(this.type, this.payload);
  }
}

/** A value of the given type whose payload is trusted to fit it. */
export function valueOf<T extends Type>(type: T, payload: Payload): Value<T> {
  return new TypedPayload(type, payload);
}

/** Is this a value, of this or another installed copy of the package? */
export function isValue(candidate: unknown): candidate is Value {
  return typeof candidate === "object" && candidate !== null && "payload" in candidate && "type" in candidate && isType(candidate.type);
}

/** The value as Go's `%#v` prints it: `cty.StringVal("a")`. */
export function goString(value: Value): string {
  return valueGoString(value.type, value.payload);
}
