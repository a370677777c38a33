// SPDX-License-Identifier: Apache-2.0
import type { Random } from "@tenon/testing/generate";
import { isWriteOnly, type AttributeDeclaration, type RuleDeclaration } from "../declaration.ts";
import type { Role } from "./behaviour.ts";

/** Chooses rules about several attributes of a schema. */
export function makeRules(
  random: Random,
  attributes: Readonly<Record<string, AttributeDeclaration>>,
  role: Role,
): readonly RuleDeclaration[] {
  const rules: RuleDeclaration[] = [];
  const settable = Object.keys(attributes).filter((name) => attributes[name]!.mode !== "computed" && name !== "mode");
  const ofKind = (kind: string): string[] => settable.filter((name) => attributes[name]!.kind === kind);
  const shuffled = (list: readonly string[]): string[] =>
    list
      .map((name) => [random.int(1000), name] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, name]) => name);
  if (settable.length > 2 && random.chance(0.25)) {
    const rule = random.pick(["exactlyOneOf", "atLeastOneOf", "conflicting", "requiredTogether"] as const);
    rules.push({ rule, names: shuffled(settable).slice(0, 2 + random.int(2)) });
  }
  const [text, whole] = [shuffled(ofKind("string")), shuffled(ofKind("int64"))];
  if (text.length > 0 && settable.length > 1 && random.chance(0.1)) {
    const other = shuffled(settable).find((name) => name !== text[0]);
    rules.push({ rule: "requires", names: [text[0]!, other!] });
  }
  if (whole.length > 1 && random.chance(0.4)) {
    rules.push({
      rule: random.pick(["atLeastSumOf", "atMostSumOf", "equalToSumOf", "equalToProductOf"] as const),
      names: whole.slice(0, 3),
    });
  }
  const hidden = settable.filter((name) => isWriteOnly(attributes[name]!));
  const open = settable.filter((name) => !isWriteOnly(attributes[name]!));
  if (role === "resource" && hidden.length > 0 && open.length > 0 && random.chance(0.3)) {
    rules.push({ rule: "preferWriteOnly", names: [random.pick(open), random.pick(hidden)] });
  }
  return rules;
}
