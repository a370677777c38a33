// SPDX-License-Identifier: Apache-2.0
import { formatPath } from "@tenon/cty";
import { hasErrors, type Diagnostic } from "@tenon/schema";
import type { SchemaDeclaration } from "../declaration.ts";
import type { DiagnosticDifference } from "../response.ts";
import { PlainSet, stepsOf, unknownText } from "../compare.ts";
import { declaredAlong, hasUnknownPart, plainAt, stepsToDeclared, type Declared } from "../declared-at.ts";
import { requestField, isDiagnostic, isSetOfObjects, type Deviation, type Occasion } from "./occasion.ts";

/** A deviation about diagnostics only. */
interface ValidationDeviation extends Omit<Deviation, "covers"> {
  readonly covers: (one: DiagnosticDifference, occasion: Occasion) => boolean;
}

const diagnosticDeviations: readonly ValidationDeviation[] = [
  {
    name: "partly-known-values",
    why: "The framework runs validators of a collection with unknown parts; ours runs validators only with known values, as their type declares. The cores validate again when all values are known.",
    covers: (one, occasion) =>
      one.side === "theirs" && hasUnknownPart(plainAt(requestField(occasion, "config"), stepsToDeclared(occasion.schema, one.steps))),
  },
  {
    name: "absent-single-blocks",
    why: "The framework reports missing required attributes of an absent single block, so that the block cannot be omitted.",
    covers: (one, occasion) => {
      if (one.side !== "theirs") return false;
      if (!/^(?:Missing Configuration|Invalid Block)/.test(one.summary)) return false;
      const parent = plainAt(requestField(occasion, "config"), one.steps.slice(0, -1));
      return parent === null || parent === undefined || isSetWithSingleBlock(declaredAlong(occasion.schema, one.steps).at(-1));
    },
  },
  {
    name: "no-blocks-are-an-empty-list",
    why: "For an absent block the framework has null, which validators ignore; with us a minimum size of one requires the block.",
    covers: (one, occasion) => one.side === "ours" && saysSize(one, occasion),
  },
  {
    name: "one-text-for-several",
    why: "The framework reports each validator of an All or Any separately; with us they are one validator with one text.",
    covers: (one, occasion) => {
      const declared = declaredAlong(occasion.schema, one.steps).at(-1);
      const isInvalid = ({ summary }: { readonly summary: string }): boolean => summary.startsWith("Invalid Attribute Value");
      // At a set, where the paths of its elements end, any of the diagnostics may be the unmatched one.
      const isAmongOthers =
        declared !== undefined &&
        isSetOfObjects(declared) &&
        occasion.theirs.diagnostics.some((other) => isInvalid(other) && formatPath(other.attribute ?? []) === one.path);
      if (one.side !== "theirs" || one.kind !== "error" || !(isInvalid(one) || isAmongOthers)) return false;
      const paths = occasion.ours.diagnostics
        .filter(({ summary }) => summary === "Invalid value")
        .map(({ attribute = [] }) => formatPath(attribute));
      return paths.includes(one.path) && hasSeveral(declared);
    },
  },
  {
    name: "other-words",
    why: "The framework drops a diagnostic that equals another one, such as those of two validators with the same values; ours name the validator.",
    covers: (one, occasion) =>
      one.side === "ours" &&
      one.summary === "Invalid value" &&
      /in upper or lower case|must be (?:one|none) of/.test(one.detail) &&
      occasion.theirs.diagnostics.some(
        ({ summary, attribute = [] }) => summary === "Invalid Attribute Value Match" && formatPath(attribute) === one.path,
      ),
  },
  {
    name: "parts-of-what-is-wrong",
    why: "The framework does not validate the parts of an invalid nested attribute, and does not report that invalid blocks are deprecated; ours reports all diagnostics.",
    covers: (one, occasion) =>
      one.side === "ours" &&
      occasion.theirs.diagnostics.some(
        ({ severity, attribute = [] }) =>
          severity === "error" && (isAround(stepsOf(attribute), one, occasion) || isInDeprecatedBlock(stepsOf(attribute), one)),
      ),
  },
  {
    name: "whole-with-a-missing-part",
    why: "The framework runs validators of a nested attribute or block that lacks a required part, or in which a read-only part has a value; ours runs them only with values of the declared type.",
    covers: (one, { schema, ours }) => {
      const around = stepsToDeclared(schema, one.steps);
      const isMissingInside = ({ summary, attribute = [] }: Diagnostic): boolean => {
        const steps = stepsOf(attribute);
        return /^(?:Missing required|Value for a read-only attribute$)/.test(summary) && around.every((step, at) => step === steps[at]);
      };
      return one.side === "theirs" && !one.summary.startsWith("Missing") && around.length > 0 && ours.diagnostics.some(isMissingInside);
    },
  },
  {
    name: "certain-already",
    why: "The framework does not report attributes that must be set together while one of them is unknown; ours does if the unknown value does not matter.",
    covers: (one, occasion) =>
      one.side === "ours" &&
      one.summary === "Invalid combination of attributes" &&
      (occasion.schema.rules ?? []).some(({ names }) =>
        names.some((name) => plainAt(requestField(occasion, "config"), [name]) === unknownText),
      ),
  },
  {
    name: "unknown-of-a-known-type",
    why: "The framework treats an unknown value of a known type in a dynamic attribute as set; ours treats it as possibly null.",
    covers: (one, occasion) => {
      const isUnknownDynamic = (name: string): boolean => {
        const { attributes } = occasion.schema;
        return attributes[name]?.kind === "dynamic" && plainAt(requestField(occasion, "config"), [name]) === unknownText;
      };
      const rules = (occasion.schema.rules ?? []).filter(({ names }) => names.includes(String(one.steps[0])));
      return (
        one.side === "theirs" &&
        one.summary.startsWith("Invalid Attribute Combination") &&
        rules.some(({ names }) => names.some(isUnknownDynamic))
      );
    },
  },
  {
    name: "write-only-is-used",
    why: "The framework recommends a write-only attribute even if it is set.",
    covers: (one, occasion) =>
      one.side === "theirs" && one.summary.startsWith("Available Write-Only") && isWriteOnlySet(occasion, one.path),
  },
  {
    name: "blamed-attribute",
    why: "Of two conflicting attributes, the framework reports the first, ours the second: the first is valid by itself.",
    covers: (one, occasion) =>
      /^Invalid (?:Attribute C|c)ombination/.test(one.summary) &&
      occasion.differences.some(
        (other) => isDiagnostic(other) && other.side !== one.side && /^Invalid (?:Attribute C|c)ombination/.test(other.summary),
      ),
  },
  {
    name: "keys-of-maps",
    why: "The framework reports an invalid key at its element; with us the validator reports its attribute, with the key in the text.",
    // When the attribute has another fault, either diagnostic may be the unmatched one.
    covers: (one, { theirs, ours }) =>
      one.side === "ours"
        ? ours.diagnostics.some(({ detail, attribute = [] }) => / key "/.test(detail) && formatPath(attribute) === one.path) &&
          theirs.diagnostics.some(({ attribute = [] }) => formatPath(attribute).startsWith(`${one.path}[`))
        : ours.diagnostics.some(({ detail, attribute = [] }) => / key "/.test(detail) && one.path.startsWith(`${formatPath(attribute)}[`)),
  },
  {
    name: "own-validation-last",
    why: "The framework runs a resource's own validation even after errors of the schema; ours runs it only with a configuration of the declared type.",
    covers: (one, occasion) => one.side === "theirs" && one.summary === "Refused" && hasErrors(occasion.ours.diagnostics),
  },
];

/** Deviations in validations. */
export const inValidations: readonly Deviation[] = diagnosticDeviations.map((one) => ({
  ...one,
  covers: (difference, occasion) =>
    occasion.call.rpc.startsWith("Validate") && isDiagnostic(difference) && one.covers(difference, occasion),
}));

/** Whether the diagnostic is about the number of blocks and there are none. */
function saysSize(one: DiagnosticDifference, occasion: Occasion): boolean {
  const last = declaredAlong(occasion.schema, one.steps).at(-1);
  const isSized = ({ validators = [] }: Declared): boolean => validators.some(({ rule }) => rule === "size");
  if (last === undefined) return false;
  if (isSized(last) && isEmpty(plainAt(requestField(occasion, "config"), one.steps))) return true;
  return isSetOfObjects(last) && Object.values(last.body.blocks ?? {}).some(isSized);
}

function isEmpty(plain: unknown): boolean {
  const elements = plain instanceof PlainSet ? plain.elements : plain;
  return plain === undefined || plain === null || (Array.isArray(elements) && elements.length === 0);
}

function isSetWithSingleBlock(declared: Declared | undefined): boolean {
  if (declared === undefined || !isSetOfObjects(declared)) return false;
  return hasSingleBlock(declared.body);
}

function hasSingleBlock({ blocks = {} }: SchemaDeclaration): boolean {
  return Object.values(blocks).some(({ nesting, body }) => nesting === "single" || hasSingleBlock(body));
}

/** Whether a value is checked by a combination of validators. */
function hasSeveral(declared: Declared | undefined): boolean {
  return /"anyOf"|"allOf"/.test(JSON.stringify(declared ?? null));
}

/** Whether a path is a prefix of another; both end at a set. */
function isAround(outer: readonly (string | number)[], { steps }: DiagnosticDifference, { schema }: Occasion): boolean {
  const around = stepsToDeclared(schema, outer);
  const last = declaredAlong(schema, steps).at(-1);
  const isInside = around.length < steps.length || (last !== undefined && isSetOfObjects(last));
  return outer.length > 0 && isInside && around.every((step, at) => step === steps[at]);
}

/** Whether a path leads to the blocks that a warning calls deprecated, or into them. */
function isInDeprecatedBlock(path: readonly (string | number)[], { steps, summary }: DiagnosticDifference): boolean {
  return summary === "Deprecated block" && steps.every((step, at) => step === path[at]);
}

function isWriteOnlySet(occasion: Occasion, path: string): boolean {
  const rule = occasion.schema.rules?.find(({ rule: name, names }) => name === "preferWriteOnly" && `.${names[0]}` === path);
  return rule !== undefined && plainAt(requestField(occasion, "config"), [rule.names[1]!]) !== null;
}
