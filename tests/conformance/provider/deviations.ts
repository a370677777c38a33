// SPDX-License-Identifier: Apache-2.0
import type { Difference } from "./response.ts";
import { inResponses } from "./deviations/responses.ts";
import type { Deviation, Occasion } from "./deviations/occasion.ts";
import { inPlans } from "./deviations/planning.ts";
import { inValidations } from "./deviations/validation.ts";

/** Every intended difference from the framework. */
export const deviations: readonly Deviation[] = [...inResponses, ...inPlans, ...inValidations];

/** Finds the deviation that explains a difference. */
export function deviationOf(difference: Difference, occasion: Occasion): string | undefined {
  return deviations.find(({ covers }) => covers(difference, occasion))?.name;
}
