// SPDX-License-Identifier: Apache-2.0

/**
 * What stands in a plan where a value will be known only after apply.
 *
 * It is the same in the SDK, and a symbol for the same reason: TypeScript refuses one in a template literal, in `+` and in `>`.
 */
export type Unknown = symbol & { readonly "~tenon": "unknown" };

/** The one unknown value; in a configuration it says that the value is not known yet. */
export const unknownValue: Unknown = Symbol.for("tenon.unknown") as Unknown;

/** True for a value that is not known yet; what remains in the other branch is the plain value. */
export function isUnknown(value: unknown): value is Unknown {
  return value === unknownValue;
}
