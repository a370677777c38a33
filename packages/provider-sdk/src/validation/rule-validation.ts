// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import { isUnknownPayload } from "@tenon/cty/unstable/payload";
import type { Diagnostic } from "@tenon/schema";
import { decodeEntry } from "../conversion/decode.ts";
import { pathText } from "../conversion/problem.ts";
import { elementsOf, mapElementsOf, partOf } from "../planning/part.ts";
import type { RuleView } from "../rules/rule.ts";
import type { EntryShape, ObjectShape } from "../schema/shape.ts";

/** Runs the rules of one object of a configuration. */
export function runRules(shape: ObjectShape, object: Value, path: Path, writeOnlyAllowed: boolean, found: Diagnostic[]): void {
  if (shape.rules === undefined) return;
  const entryOf = (name: string): EntryShape => shape.byName.get(name)!;
  const view: RuleView = {
    stateOf: (name) => stateOf(entryOf(name), partOf(object, entryOf(name))),
    valueOf: (name) => decodeEntry(entryOf(name), partOf(object, entryOf(name)), "configDraft").value,
    writeOnlyAllowed,
  };
  for (const rule of shape.rules) {
    for (const { severity, attribute, detail } of rule.check(view)) {
      const at = attribute === undefined ? path : [...path, entryOf(attribute).step];
      const where = path.length === 0 ? "" : `In ${pathText(path)}: `;
      const summary = severity === "error" ? "Invalid combination of attributes" : "Discouraged attribute";
      found.push({ severity, summary, detail: `${where}${detail}`, ...(at.length === 0 ? {} : { attribute: at }) });
    }
  }
}

/** Blocks that repeat are there when there is one of them. */
function stateOf(entry: EntryShape, value: Value): ReturnType<RuleView["stateOf"]> {
  if (value.payload === null) return "unset";
  if (isUnknownPayload(value.payload)) return "unknown";
  if (entry.kind !== "block" || entry.nesting === "single" || entry.nesting === "group") return "set";
  const count = entry.nesting === "map" ? mapElementsOf(value).size : elementsOf(value).length;
  return count > 0 ? "set" : "unset";
}
