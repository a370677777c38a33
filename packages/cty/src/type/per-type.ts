// SPDX-License-Identifier: Apache-2.0
import type { Type } from "../model/type.ts";

/** Returns a function that computes its result once for each type. Results are garbage-collected with their types. */
export function perType<T extends Type, Result extends object | string | boolean>(compute: (type: T) => Result): (type: T) => Result {
  const cache = new WeakMap<T, Result>();
  return (type) => {
    let result = cache.get(type);
    if (result === undefined) cache.set(type, (result = compute(type)));
    return result;
  };
}
