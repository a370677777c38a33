// SPDX-License-Identifier: Apache-2.0
// Mutations of the functions of `@tenon/schema/change` and `@tenon/schema/difference`, in addition to the mutations of the rules.
import { mutationsOf, type Mutation } from "../mutation.ts";

const change = "packages/schema/src/change";
const folder = "packages/schema/src/difference";
const difference = `${folder}/difference.test.ts`;
const opentofu = "packages/schema/test/differential/opentofu.test.ts";

export const changeFunctions: readonly Mutation[] = [
  ...mutationsOf(`${change}/proposed-new.ts`, `${change}/proposed-new.test.ts`, [
    ["proposedNew", "return config.payload === null ? config : inside(prior, config);", "return inside(prior, config);", "nested"],
    ["proposedNew", "if (isUnknownValue(config)) return config;", "", "blocks"],
    [
      "plannedUnknownObject",
      "valueOf(impliedType(block), UNKNOWN), config)",
      "valueOf(impliedType(block), null), config)",
      "plannedUnknownObject",
    ],
  ]),
  ...mutationsOf(`${change}/prior-correlation.ts`, `${change}/proposed-new.test.ts`, [
    ["proposedNew", 'if (config.type.kind === "set") return false;', "", "sets of sets"],
    ["proposedNew", 'return configured.type.kind !== "set" && isUnconfiguredComputed(attribute, configured);', "return false;", ""],
  ]),
  ...mutationsOf(`${change}/plan-valid.ts`, `${change}/plan-valid.test.ts`, [
    ["assertPlanValid", "if (isUnknownValue(value)) {", "if (false) {", "nested blocks"],
    ["assertPlanValid", "if (planned.payload === null) {", "if (false) {", "nested blocks"],
  ]),
  ...mutationsOf(`${change}/element-count.ts`, opentofu, [["assertPlanValid", "return minA <= maxB && minB <= maxA;", "return true;", ""]]),
  ...mutationsOf(`${change}/object-compatible.ts`, `${change}/object-compatible.test.ts`, [
    ["assertObjectCompatible", "isUnknownValue(planned) && actual.payload === null ? [] :", "false ? [] :", "nested blocks"],
    ["assertObjectCompatible", "if (!byKey) return violations;", "return violations;", "nested blocks"],
  ]),
  ...mutationsOf(`${change}/value-compatible.ts`, `${change}/object-compatible.test.ts`, [
    [
      "assertObjectCompatible",
      'if (isUnknownValue(actual)) return [{ path: [], message: () => "was known, but now unknown" }];',
      "if (isUnknownValue(actual)) return [];",
      "attributes",
    ],
    ["assertObjectCompatible", "if (testConformance(actual.type, planned.type).length > 0)", "if (false)", "attributes"],
    ["assertObjectCompatible", "if (countOf(planned) < countOf(actual))", "if (false)", "attributes"],
  ]),
  ...mutationsOf(`${change}/write-only.ts`, `${change}/write-only.test.ts`, [
    ["assertWriteOnlyNull", "found !== undefined && found.payload !== null", "found !== undefined && found.payload === null", ""],
  ]),
  ...mutationsOf(`${change}/result-value.ts`, `${change}/result-value.test.ts`, [
    ["assertResultValue", "if (mismatches.length > 0) return mismatches;", "", "assertResultValue"],
    ["assertResultValue", "return unknownPaths(value).map", "return [[]].slice(1).map", "assertResultValue"],
  ]),
  ...mutationsOf(`${change}/requires-replace.ts`, `${change}/requires-replace.test.ts`, [
    [
      "filterRequiresReplace",
      "if (before === undefined && after === undefined) {",
      "if (before === undefined || after === undefined) {",
      "",
    ],
    ["filterRequiresReplace", "paths.set(formatPath(path), path)", "paths.set(String(paths.size), path)", ""],
  ]),
  ...mutationsOf(`${change}/legacy-normalization.ts`, `${change}/legacy-normalization.test.ts`, [
    ["normalizeObjectFromLegacySdk", "if (elements.length === 0) return empty;", "", "replaces null blocks"],
    [
      "normalizeObjectFromLegacySdk",
      "if (isUnknownValue(value)) return oneElement(empty, unknownBlockStub(block));",
      "if (isUnknownValue(value)) return empty;",
      "replaces an unknown block",
    ],
  ]),
  ...mutationsOf(`${change}/rule-violation.ts`, `${change}/plan-valid.test.ts`, [
    ["formatRuleViolation", "`${formatPath(violation.path)}: ${violation.message}`", "violation.message", ""],
  ]),
  ...mutationsOf(`${folder}/compare/attribute-difference.ts`, difference, [
    ["difference", "const marked = attribute.sensitive ? sensitive(pair) : pair;", "const marked = pair;", "difference returns a tree"],
    ["difference", 'if (inside.action === "noOp" && isAbsent(child)) continue;', "", "renderDifference"],
    ["difference", "const hide = (side: Side): Side => (hasSensitive(side) ?", "const hide = (side: Side): Side => (false ?", ""],
  ]),
  ...mutationsOf(`${folder}/compare/hidden-difference.ts`, difference, [
    ["difference", "if (pair.unknown !== true) return inside(pair);", "return inside(pair);", ""],
  ]),
  ...mutationsOf(`${folder}/compare/alignment.ts`, `${folder}/compare/alignment.test.ts`, [
    ["difference", "if (isChanged() && !isKept(after[j]!)) pairs.push({ before: i++, after: j++ });\n      else pairs", "pairs", ""],
    ["difference", "lengths[here] = lengths[here - width - 1]! + 1;", "lengths[here] = 1;", ""],
  ]),
  ...mutationsOf(`${folder}/render/render-difference.ts`, difference, [
    ["renderDifference", "if (rendering.showSensitive) return", "if (true) return", "renderDifference"],
    [
      "renderDifference",
      'signOfWhole(action, style) : ""}${header}',
      'signOfWhole(difference.action, style) : ""}${header}',
      "renderDifference",
    ],
  ]),
  ...mutationsOf(`${folder}/render/describe-change.ts`, difference, [
    ["describeChange", 'if (reason === "tainted") return', "if (false) return", ""],
  ]),
];
