// SPDX-License-Identifier: Apache-2.0
// Written configurations, each for a fault of the engine that generated ones have shown.
import type { PickedCase } from "./picked/configuration.ts";
import { conditionsCases } from "./picked/conditions.ts";
import { dependenciesCases } from "./picked/dependencies.ts";
import { deprecationsCases } from "./picked/deprecations.ts";
import { destructionsCases } from "./picked/destructions.ts";
import { failuresCases } from "./picked/failures.ts";
import { keyedReferenceCases } from "./picked/keyed-references.ts";
import { providerInstancesCases } from "./picked/provider-instances.ts";
import { limitsCases } from "./picked/limits.ts";
import { textsCases } from "./picked/texts.ts";
import { waitsCases } from "./picked/waits.ts";

export { pickedTypes } from "./picked/configuration.ts";

/** All picked cases. */
export const pickedCases: readonly PickedCase[] = [
  ...conditionsCases,
  ...providerInstancesCases,
  ...textsCases,
  ...keyedReferenceCases,
  ...failuresCases,
  ...destructionsCases,
  ...limitsCases,
  ...dependenciesCases,
  ...deprecationsCases,
  ...waitsCases,
];
