// SPDX-License-Identifier: Apache-2.0

/**
 * A value that is known only after apply, in the JavaScript data of the SDK's handlers and of the host's client. Code that works with cty
 * values uses cty's `unknown` instead.
 * The type is a symbol, because TypeScript rejects a symbol in a template literal, in `+` and in `>`. An object would become "[object
 * Object]" in a URL without a compile error. The brand is a string and not a `unique symbol`, so that the type prints as `Unknown` and is
 * the same in two installed copies of this package.
 */
export type Unknown = symbol & { readonly "~tenon": "unknown" };

/** The only value of the type {@link Unknown}. It carries no refinements; those exist in cty values only. */
export const unknownValue: Unknown = Symbol.for("tenon.unknown") as Unknown;

/** Whether `value` is {@link unknownValue}. The other branch of the check has the plain type. */
export function isUnknown(value: unknown): value is Unknown {
  return value === unknownValue;
}

/** The type `T` without {@link Unknown}, at any depth. */
export type WhollyKnown<T> = T extends Unknown
  ? never
  : T extends readonly (infer E)[]
    ? readonly WhollyKnown<E>[]
    : T extends object
      ? { readonly [N in keyof T]: WhollyKnown<T[N]> }
      : T;

/**
 * Whether `value` contains no {@link unknownValue}, at any depth.
 *
 * @example
 * isWhollyKnown({ title: "first", id: unknownValue })
 * // => false
 */
export function isWhollyKnown<T>(value: T): value is T & WhollyKnown<T> {
  if (isUnknown(value)) return false;
  return typeof value !== "object" || value === null || Object.values(value).every(isWhollyKnown);
}
