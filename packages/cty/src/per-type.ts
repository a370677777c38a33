// SPDX-License-Identifier: Apache-2.0
import type { Type } from "./type.ts";

/** A function of a type that is computed once for each type, and forgotten together with it. */
export function perType<T extends Type, Result extends object | string | boolean>(compute: (type: T) => Result): (type: T) => Result {
  const cache = new WeakMap<T, Result>();
  return (type) => {
    let result = cache.get(type);
    if (result === undefined) cache.set(type, (result = compute(type)));
    return result;
  };
}
