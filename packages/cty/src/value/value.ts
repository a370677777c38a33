// SPDX-License-Identifier: Apache-2.0
import type { Value } from "../model/value.ts";
import { valueGoString } from "./go-string.ts";
import type { Payload } from "../payload/payload.ts";
import { isType } from "../type/type.ts";
import type { Type } from "../model/type.ts";

const inspect: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;

class TypedPayload<T extends Type> implements Value<T> {
  readonly type: T;
  readonly payload: Payload;

  constructor(type: T, payload: Payload) {
    this.type = type;
    this.payload = payload;
  }

  /** Returns Go's notation, which OpenTofu's messages also use. */
  [inspect](): string {
    return valueGoString(this.type, this.payload);
  }
}

/** Returns a value of the given type. The payload is not checked. */
export function valueOf<T extends Type>(type: T, payload: Payload): Value<T> {
  return new TypedPayload(type, payload);
}

/** Whether the candidate is a value, of this or another installed copy of the package. */
export function isValue(candidate: unknown): candidate is Value {
  return typeof candidate === "object" && candidate !== null && "payload" in candidate && "type" in candidate && isType(candidate.type);
}

/** Returns the value as Go's `%#v` prints it: `cty.StringVal("a")`. */
export function goString(value: Value): string {
  return valueGoString(value.type, value.payload);
}
