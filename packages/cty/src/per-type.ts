// SPDX-License-Identifier: Apache-2.0
import type { Type } from "./type.ts";

/** A function of a type that is computed once for each type, and forgotten together with it. */
export function perType<T extends Type, Result>(compute: (type: T) => Result): (type: T) => Result {
  const cache = new WeakMap<T, { readonly result: Result }>();
  return (type) => {
    const known = cache.get(type);
    if (known !== undefined) return known.result;
    const result = compute(type);
    cache.set(type, { result });
    return result;
  };
}
