// SPDX-License-Identifier: Apache-2.0
// Ways to break the functions of `@tenon/schema/change`, beyond those that break a rule.
import { mutationsOf, type Mutation } from "../mutation.ts";

const change = "packages/schema/src/change";
const difference = `${change}/difference.test.ts`;
const opentofu = `${change}/opentofu.test.ts`;

export const changeFunctions: readonly Mutation[] = [
  ...mutationsOf(`${change}/proposed-new.ts`, `${change}/proposed-new.test.ts`, [
    ["proposedNew", "return config.payload === null ? config : inside(prior, config);", "return inside(prior, config);", "nested"],
    ["proposedNew", "if (isUnknown(config)) return config;", "", "blocks"],
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
    ["assertPlanValid", "if (isUnknown(value)) {", "if (false) {", "nested blocks"],
    ["assertPlanValid", "if (planned.payload === null) {", "if (false) {", "nested blocks"],
  ]),
  ...mutationsOf(`${change}/element-count.ts`, opentofu, [["assertPlanValid", "return minA <= maxB && minB <= maxA;", "return true;", ""]]),
  ...mutationsOf(`${change}/object-compatible.ts`, `${change}/object-compatible.test.ts`, [
    ["assertObjectCompatible", "isUnknown(planned) && actual.payload === null ? [] :", "false ? [] :", "nested blocks"],
    ["assertObjectCompatible", "if (!byKey) return problems;", "return problems;", "nested blocks"],
  ]),
  ...mutationsOf(`${change}/value-compatible.ts`, `${change}/object-compatible.test.ts`, [
    [
      "assertObjectCompatible",
      'if (isUnknown(actual)) return [{ path: [], message: () => "was known, but now unknown" }];',
      "if (isUnknown(actual)) return [];",
      "attributes",
    ],
    ["assertObjectCompatible", "if (testConformance(actual.type, planned.type).length > 0)", "if (false)", "attributes"],
    ["assertObjectCompatible", "if (countOf(planned) < countOf(actual))", "if (false)", "attributes"],
  ]),
  ...mutationsOf(`${change}/write-only.ts`, `${change}/write-only.test.ts`, [
    ["assertWriteOnlyNull", "found !== undefined && found.payload !== null", "found !== undefined && found.payload === null", ""],
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
    ["normalizeObjectFromLegacySdk", "if (elements.length === 0) return empty;", "", "blocks that are null"],
    [
      "normalizeObjectFromLegacySdk",
      "if (isUnknown(value)) return oneElement(empty, unknownBlockStub(block));",
      "if (isUnknown(value)) return empty;",
      "blocks that are unknown",
    ],
  ]),
  ...mutationsOf(`${change}/problem.ts`, `${change}/plan-valid.test.ts`, [
    ["formatProblem", "`${formatPath(problem.path)}: ${problem.message}`", "problem.message", ""],
  ]),
  ...mutationsOf(`${change}/difference-of-attribute.ts`, difference, [
    ["difference", "const marked = attribute.sensitive ? sensitive(change) : change;", "const marked = change;", "as data"],
    ["difference", 'if (inside.action === "noOp" && isAbsent(child)) continue;', "", "as text"],
    ["difference", "const hide = (side: Side): Side => (hasSensitive(side) ?", "const hide = (side: Side): Side => (false ?", ""],
  ]),
  ...mutationsOf(`${change}/difference-of-hidden.ts`, difference, [
    ["difference", "if (change.unknown !== true) return inside(change);", "return inside(change);", ""],
  ]),
  ...mutationsOf(`${change}/alignment.ts`, `${change}/alignment.test.ts`, [
    ["difference", "if (atHand() && !isStaying(after[j]!)) pairs.push({ before: i++, after: j++ });\n      else pairs", "pairs", ""],
    ["difference", "lengths[here] = lengths[here - width - 1]! + 1;", "lengths[here] = 1;", ""],
  ]),
  ...mutationsOf(`${change}/render-difference.ts`, difference, [
    ["renderDifference", "if (rendering.showSensitive) return", "if (true) return", "as text"],
    ["renderDifference", "sign(options.action ?? difference.action, rendering)", "sign(difference.action, rendering)", "as text"],
  ]),
  ...mutationsOf(`${change}/describe-change.ts`, difference, [
    ["describeChange", 'if (reason === "tainted") return', "if (false) return", ""],
  ]),
];
