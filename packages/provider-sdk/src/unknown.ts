// SPDX-License-Identifier: Apache-2.0

/**
 * A value that will only be known after apply.
 *
 * A symbol and not an object, because TypeScript refuses a symbol in a template literal, in `+` and in `>`;
 * an object would become "[object Object]" in a URL without a word from the compiler. Branded with a
 * string and not declared `unique symbol`: it prints as `Unknown`, and two installed copies of the SDK
 * agree on it.
 */
export type Unknown = symbol & { readonly "~tenon": "unknown" };

/** The one unknown value. What is known about it beforehand (refinements) is seen at the level of cty values only. */
export const unknownValue: Unknown = Symbol.for("tenon.unknown") as Unknown;

/** True for a value that is not known yet; what remains in the other branch is the plain value. */
export function isUnknown(value: unknown): value is Unknown {
  return value === unknownValue;
}

/** What is left of `T` once nothing in it, at any depth, is unknown. */
export type WhollyKnown<T> = T extends Unknown
  ? never
  : T extends readonly (infer E)[]
    ? readonly WhollyKnown<E>[]
    : T extends object
      ? { readonly [N in keyof T]: WhollyKnown<T[N]> }
      : T;

/**
 * True when nothing in `value`, at any depth, is unknown.
 *
 * @example
 * isWhollyKnown({ title: "first", id: unknownValue })
 * // => false
 */
export function isWhollyKnown<T>(value: T): value is T & WhollyKnown<T> {
  if (isUnknown(value)) return false;
  return typeof value !== "object" || value === null || Object.values(value).every(isWhollyKnown);
}
