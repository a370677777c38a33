// SPDX-License-Identifier: Apache-2.0
import type { Path, Value } from "@tenon/cty";
import { isUnknownPayload } from "@tenon/cty/unstable/payload";
import { decodeEntry } from "../conversion/decode.ts";
import { pathText } from "../conversion/problem.ts";
import { elementsOf, mapElementsOf, partOf } from "../shape/part.ts";
import { matchedPlaces } from "../shape/matched-places.ts";
import { exactSteps, resolved } from "../paths/path-expression.ts";
import type { Presence, RuleView } from "../definition/config-rule.ts";
import type { PendingDiagnostics } from "./value-validation.ts";
import type { EntryShape, ObjectShape } from "../shape/shape.ts";

/** A whole configuration, for the path expressions in the rules of its objects. */
export interface Whole {
  readonly shape: ObjectShape;
  readonly config: Value;
}

/** Runs the rules of one object of a configuration. */
export function runRules(
  shape: ObjectShape,
  object: Value,
  path: Path,
  whole: Whole,
  writeOnlyAllowed: boolean,
  found: PendingDiagnostics,
): void {
  if (shape.rules === undefined) return;
  const entryOf = (name: string): EntryShape => shape.byName.get(name)!;
  const view: RuleView = {
    stateOf: (name) => stateOf(entryOf(name), partOf(object, entryOf(name))),
    valueOf: (name) => decodeEntry(entryOf(name), partOf(object, entryOf(name)), "configDraft").value,
    placesOf: (reference) => {
      if (typeof reference === "string") {
        const entry = entryOf(reference);
        return [{ name: reference, path: [...path, entry.step], state: stateOf(entry, partOf(object, entry)) }];
      }
      return matchedPlaces(whole.shape, whole.config, resolved(reference, exactSteps(path))).map((place) => ({
        name: pathText(place.path),
        path: place.path,
        state: place.entry === undefined ? presenceOf(place.value) : stateOf(place.entry, place.value),
      }));
    },
    writeOnlyAllowed,
  };
  for (const rule of shape.rules) {
    for (const { severity, attribute, detail } of rule.check(view)) {
      const at = attribute === undefined ? path : typeof attribute === "string" ? [...path, entryOf(attribute).step] : attribute;
      const where = path.length === 0 ? "" : `In ${pathText(path)}: `;
      const summary = severity === "error" ? "Invalid combination of attributes" : "Discouraged attribute";
      found.push({ severity, summary, detail: `${where}${detail}`, ...(at.length === 0 ? {} : { attribute: at }) });
    }
  }
}

function presenceOf(value: Value): Presence {
  if (value.payload === null) return "unset";
  return isUnknownPayload(value.payload) ? "unknown" : "set";
}

/** Returns whether an entry is set. Repeated blocks are set if there is at least one. */
function stateOf(entry: EntryShape, value: Value): Presence {
  const presence = presenceOf(value);
  if (presence !== "set" || entry.kind !== "block" || entry.nesting === "single" || entry.nesting === "group") return presence;
  const count = entry.nesting === "map" ? mapElementsOf(value).size : elementsOf(value).length;
  return count > 0 ? "set" : "unset";
}
