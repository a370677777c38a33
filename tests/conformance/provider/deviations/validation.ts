// SPDX-License-Identifier: Apache-2.0
import { formatPath } from "@tenon/cty";
import { hasErrors, type Diagnostic } from "@tenon/schema";
import type { DiagnosticDifference } from "../answer.ts";
import { PlainSet, stepsOf, unknownText } from "../compare.ts";
import { declaredAlong, hasUnknownPart, plainAt, stepsToDeclared, type Declared } from "../declared-at.ts";
import { asked, isSaid, isSetOfObjects, type Deviation, type Occasion } from "./occasion.ts";

/** A deviation about diagnostics only. */
interface ValidationDeviation extends Omit<Deviation, "covers"> {
  readonly covers: (one: DiagnosticDifference, occasion: Occasion) => boolean;
}

const said: readonly ValidationDeviation[] = [
  {
    name: "partly-known-values",
    why: "The framework runs validators of a collection while some of it is unknown; ours gives validators what their type promises, and the cores validate again when all is known.",
    covers: (one, occasion) =>
      one.side === "theirs" && hasUnknownPart(plainAt(asked(occasion, "config"), stepsToDeclared(occasion.schema, one.steps))),
  },
  {
    name: "absent-single-blocks",
    why: "The framework misses required attributes of a single block that is not there, so that nobody can leave the block out.",
    covers: (one, occasion) => {
      if (one.side !== "theirs") return false;
      if (!/^(?:Missing Configuration|Invalid Block)/.test(one.summary)) return false;
      const parent = plainAt(asked(occasion, "config"), one.steps.slice(0, -1));
      return parent === null || parent === undefined || isSetWithSingleBlock(declaredAlong(occasion.schema, one.steps).at(-1));
    },
  },
  {
    name: "no-blocks-are-an-empty-list",
    why: "The framework has null where no block is written, which no validator sees; with us a size of at least one block means it.",
    covers: (one, occasion) => one.side === "ours" && saysSize(one, occasion),
  },
  {
    name: "one-text-for-several",
    why: "The framework reports each validator of an All or Any by itself; with us they are one validator, and one text.",
    covers: (one, occasion) => {
      if (one.side !== "theirs" || !one.summary.startsWith("Invalid Attribute Value")) return false;
      const said = occasion.ours.diagnostics
        .filter(({ summary }) => summary === "Invalid value")
        .map(({ attribute = [] }) => formatPath(attribute));
      return said.includes(one.path) && hasSeveral(declaredAlong(occasion.schema, one.steps).at(-1));
    },
  },
  {
    name: "other-words",
    why: "The framework drops a diagnostic that is the same as another to the letter, as two of its validators of the same values are; ours say which of them speaks.",
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
    why: "The framework does not look inside a nested attribute that is wrong as a whole; ours reports everything there is.",
    covers: (one, occasion) =>
      one.side === "ours" &&
      occasion.theirs.diagnostics.some(
        ({ severity, attribute = [] }) => severity === "error" && isAround(stepsOf(attribute), one, occasion),
      ),
  },
  {
    name: "whole-with-a-missing-part",
    why: "The framework asks the validators of a nested attribute or block also where something required in it is missing; ours give them what their type promises, or nothing.",
    covers: (one, { schema, ours }) => {
      const around = stepsToDeclared(schema, one.steps);
      const isMissingInside = ({ summary, attribute = [] }: Diagnostic): boolean => {
        const steps = stepsOf(attribute);
        return summary.startsWith("Missing required") && around.every((step, at) => step === steps[at]);
      };
      return one.side === "theirs" && !one.summary.startsWith("Missing") && around.length > 0 && ours.diagnostics.some(isMissingInside);
    },
  },
  {
    name: "certain-already",
    why: "The framework says nothing of attributes that belong together while one of them is unknown; ours does where it makes no difference.",
    covers: (one, occasion) =>
      one.side === "ours" &&
      one.summary === "Invalid combination of attributes" &&
      (occasion.schema.rules ?? []).some(({ names }) => names.some((name) => plainAt(asked(occasion, "config"), [name]) === unknownText)),
  },
  {
    name: "write-only-is-used",
    why: "The framework recommends a write-only attribute also where it is set already.",
    covers: (one, occasion) =>
      one.side === "theirs" && one.summary.startsWith("Available Write-Only") && isWriteOnlySet(occasion, one.path),
  },
  {
    name: "blamed-attribute",
    why: "Of attributes that exclude each other the framework reports the first, ours the second: the first is right by itself.",
    covers: (one, occasion) =>
      /^Invalid (?:Attribute C|c)ombination/.test(one.summary) &&
      occasion.differences.some(
        (other) => isSaid(other) && other.side !== one.side && /^Invalid (?:Attribute C|c)ombination/.test(other.summary),
      ),
  },
  {
    name: "keys-of-maps",
    why: "The framework reports a key at the element of that key; with us a validator speaks of its attribute, and names the key in its text.",
    covers: (one, { theirs, ours }) =>
      one.side === "ours"
        ? / key "/.test(one.detail) && theirs.diagnostics.some(({ attribute = [] }) => formatPath(attribute).startsWith(`${one.path}[`))
        : ours.diagnostics.some(({ detail, attribute = [] }) => / key "/.test(detail) && one.path.startsWith(`${formatPath(attribute)}[`)),
  },
  {
    name: "own-validation-last",
    why: "The framework asks a resource's own validation whatever the schema has found; ours gives it a configuration that is as its type says.",
    covers: (one, occasion) => one.side === "theirs" && one.summary === "Refused" && hasErrors(occasion.ours.diagnostics),
  },
];

/** In validations. */
export const inValidations: readonly Deviation[] = said.map((one) => ({
  ...one,
  covers: (difference, occasion) => occasion.call.rpc.startsWith("Validate") && isSaid(difference) && one.covers(difference, occasion),
}));

/** Whether it is about the number of blocks where there are none. */
function saysSize(one: DiagnosticDifference, occasion: Occasion): boolean {
  const last = declaredAlong(occasion.schema, one.steps).at(-1);
  const isSized = ({ validators = [] }: Declared): boolean => validators.some(({ rule }) => rule === "size");
  if (last === undefined) return false;
  if (isSized(last) && isEmpty(plainAt(asked(occasion, "config"), one.steps))) return true;
  return isSetOfObjects(last) && Object.values(last.body.blocks ?? {}).some(isSized);
}

function isEmpty(plain: unknown): boolean {
  const elements = plain instanceof PlainSet ? plain.elements : plain;
  return plain === undefined || plain === null || (Array.isArray(elements) && elements.length === 0);
}

function isSetWithSingleBlock(declared: Declared | undefined): boolean {
  if (declared === undefined || !isSetOfObjects(declared)) return false;
  return Object.values(declared.body.blocks ?? {}).some(({ nesting }) => nesting === "single");
}

/** Whether something in a value is checked by several validators that are one. */
function hasSeveral(declared: Declared | undefined): boolean {
  return /"anyOf"|"allOf"/.test(JSON.stringify(declared ?? null));
}

/** Whether a path leads to an attribute or block that another leads into; both end at a set. */
function isAround(outer: readonly (string | number)[], { steps }: DiagnosticDifference, { schema }: Occasion): boolean {
  const around = stepsToDeclared(schema, outer);
  const last = declaredAlong(schema, steps).at(-1);
  const isInside = around.length < steps.length || (last !== undefined && isSetOfObjects(last));
  return outer.length > 0 && isInside && around.every((step, at) => step === steps[at]);
}

function isWriteOnlySet(occasion: Occasion, path: string): boolean {
  const rule = occasion.schema.rules?.find(({ rule: name, names }) => name === "preferWriteOnly" && `.${names[0]}` === path);
  return rule !== undefined && plainAt(asked(occasion, "config"), [rule.names[1]!]) !== null;
}
