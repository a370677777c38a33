// SPDX-License-Identifier: Apache-2.0
import { friendlyName, isKnown, isMarked, isNull, isWhollyKnown, unmark, unmarkDeep, withMarks, type Value } from "@tenon/cty";
import { elements } from "@tenon/cty/operators";
import type { DiagnosticExtra, Expression, Scope } from "@tenon/hcl";
import { confidentialMarks } from "./confidential-marks.ts";
import { textOf } from "./literal.ts";
import type { Report } from "./report.ts";
import { shellArgument } from "./shell-argument.ts";

/** How a `for_each` argument is checked. */
export interface ForEachRules {
  /** Address of the object with the argument, which the error about unknown values suggests to exclude. */
  readonly excludable?: string | undefined;
  /** Whether the value, or elements of a set, may be unknown. Default: they are errors. */
  readonly allowUnknown?: boolean;
  /** Whether the value may be a tuple, as in `import` blocks. Default: it is an error. */
  readonly allowTuple?: boolean;
}

const unsuitable = 'The given "for_each" argument value is unsuitable:';
const undetermined = "that cannot be determined until apply, and so OpenTofu cannot determine";
const keysUndetermined = `${undetermined} the full set of keys that will identify the instances of this resource.`;
const adviceForMaps =
  "When working with unknown values in for_each, it's better to define the map keys statically in your configuration and place apply-time results only in the map values.";
const adviceForSets =
  "When working with unknown values in for_each, it's better to use a map value where the keys are defined statically in your configuration and where only the values contain apply-time results.";
const unknownDetails = {
  map: `The "for_each" map includes keys derived from resource attributes ${keysUndetermined}\n\n${adviceForMaps}\n\n`,
  set: `The "for_each" set includes values derived from resource attributes ${keysUndetermined}\n\n${adviceForSets}\n\n`,
  tuple: `The "for_each" tuple includes values derived from resource attributes ${keysUndetermined}\n\n${adviceForSets}\n\n`,
  other: `The "for_each" value includes keys or set values from resource attributes ${undetermined} what will identify the instances of this resource.\n\n${adviceForMaps}\n\n`,
};

/**
 * Reports the faults of a value for `for_each`. Returns whether the value determines the instances: false after an error, and for an unknown
 * value that the rules allow.
 *
 * @see OpenTofu lang/evalchecks, performTypeAndValueChecks
 */
export function checkForEach(value: Value, expression: Expression, scope: Scope | undefined, rules: ForEachRules, report: Report): boolean {
  const before = report.length;
  const invalid = (detail: string, extra?: DiagnosticExtra): void => {
    const place = { subject: expression.range, expression, ...(scope && { scope }) };
    report.push({ severity: "error", summary: "Invalid for_each argument", detail, ...place, ...(extra && { extra }) });
  };
  const { type } = value;
  const elementsFault = type.kind === "set" ? faultOfSet(value) : undefined;
  const isUndetermined = !isKnown(value) || elementsFault === "unknown";
  if (isUndetermined && !rules.allowUnknown) {
    invalid(unknownDetails[detailFor(type.kind, rules)] + suggestionFor(rules.excludable), { kind: "valueCause", cause: "unknown" });
  }
  if (isNull(value)) invalid(`${unsuitable} the given "for_each" argument value is null.`);
  for (const { mark, word, adjective } of confidentialMarks) {
    if (!isMarked(value, mark)) continue;
    invalid(
      `${word} values, or values derived from ${adjective} values, cannot be used as for_each arguments. If used, the ${adjective} value could be exposed as a resource instance key.`,
      { kind: "valueCause", cause: "marked" },
    );
  }
  if (elementsFault === "null") invalid(`${unsuitable} "for_each" sets must not contain null values.`);
  if (type.kind === "set" && elementsFault === "type") {
    invalid(
      `${unsuitable} "for_each" supports sets of strings, but you have provided a set containing type ${friendlyName(type.element)}.`,
    );
  }
  if (!isSuitable(type.kind, rules)) {
    const allowed = rules.allowTuple ? "map, set of strings, or a tuple" : "map, or set of strings";
    invalid(`${unsuitable} the "for_each" argument must be a ${allowed}, and you have provided a value of type ${friendlyName(type)}.`);
  }
  return report.length === before && !isUndetermined;
}

/** The values of a map, an object or a set of strings that {@link checkForEach} accepts, by key in code-point order. */
export function forEachValues(value: Value): ReadonlyMap<string, Value> {
  const [plain, marks] = unmark(value);
  const entries = elements(plain).map(([key, element]) => [textOf(unmark(key)[0]), withMarks(element, marks)] as const);
  return new Map(entries);
}

function faultOfSet(value: Value): "type" | "unknown" | "null" | undefined {
  if (value.type.kind !== "set") return undefined;
  const { kind } = value.type.element;
  if (kind !== "string" && kind !== "dynamic") return "type";
  if (!isWhollyKnown(value)) return "unknown";
  if (isNull(value)) return undefined;
  return elements(unmarkDeep(value)[0]).some(([, element]) => isNull(element)) ? "null" : undefined;
}

function isSuitable(kind: Value["type"]["kind"], { allowTuple }: ForEachRules): boolean {
  return ["dynamic", "map", "object", "set"].includes(kind) || (kind === "tuple" && allowTuple === true);
}

function detailFor(kind: Value["type"]["kind"], { allowTuple }: ForEachRules): keyof typeof unknownDetails {
  if (kind === "map" || kind === "object") return "map";
  if (kind === "set") return "set";
  return kind === "tuple" && allowTuple ? "tuple" : "other";
}

function suggestionFor(excludable: string | undefined): string {
  return excludable === undefined
    ? "Alternatively, you could use the -target option to first apply only the resources that for_each depends on, and then apply normally to converge."
    : `Alternatively, you could use the planning option -exclude=${shellArgument(excludable)} to first apply without this object, and then apply normally to converge.`;
}
