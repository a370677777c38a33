// SPDX-License-Identifier: Apache-2.0
import { numberText, numberToDouble, type NumberPayload } from "@tenon/cty/unstable/payload";

/**
 * Returns the double that is equal or nearest to a number.
 *
 * @returns Undefined if the loss matters: an integer beyond 2^53 would become a different one, a number above the largest double would
 * become infinity, and a number other than 0 would become 0.
 * @see terraform-plugin-framework types/basetypes/float64_type.go
 */
export function nearestDouble(x: NumberPayload): number | undefined {
  const exact = numberToDouble(x);
  if (exact !== undefined) return exact;
  const nearest = Number(numberText(x));
  return nearest === 0 || Math.abs(nearest) > Number.MAX_SAFE_INTEGER ? undefined : nearest;
}
