// SPDX-License-Identifier: Apache-2.0
import type { Difference } from "./answer.ts";
import { inAnswers } from "./deviations/answers.ts";
import type { Deviation, Occasion } from "./deviations/occasion.ts";
import { inPlans } from "./deviations/planning.ts";
import { inValidations } from "./deviations/validation.ts";

/** Every place where we do otherwise than the framework, on purpose. */
export const deviations: readonly Deviation[] = [...inAnswers, ...inPlans, ...inValidations];

/** The deviation that explains a difference, if one does. */
export function deviationOf(difference: Difference, occasion: Occasion): string | undefined {
  return deviations.find(({ covers }) => covers(difference, occasion))?.name;
}
