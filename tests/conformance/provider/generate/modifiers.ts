// SPDX-License-Identifier: Apache-2.0
import type { Random } from "@tenon/testing/generate";
import type { Mode, ModifierName } from "../declaration.ts";
import type { Role } from "./behaviour.ts";

/** Chooses the plan modifiers of an attribute: most have none. */
export function makeModifiers(random: Random, kind: string, mode: Mode, role: Role): readonly ModifierName[] {
  if (role !== "resource" || mode.startsWith("writeOnly")) return [];
  const chosen: ModifierName[] = [];
  const computed = mode === "computed" || mode === "optionalComputed";
  if (computed && random.chance(0.4)) chosen.push(random.chance(0.75) ? "useStateForUnknown" : "useNonNullStateForUnknown");
  if (computed && (kind === "string" || kind === "caseless") && random.chance(0.08)) chosen.push("fixed");
  if (mode !== "computed" && random.chance(0.12)) chosen.push(random.pick(["requiresReplace", "requiresReplaceIfConfigured"]));
  if (mode === "computed" && random.chance(0.03)) chosen.push("requiresReplace");
  if ((kind === "string" || kind === "caseless") && random.chance(0.05)) chosen.push("refuse");
  return chosen;
}
