// SPDX-License-Identifier: Apache-2.0
import { hasErrors } from "@tenon/schema";
import { brokenRule, type Difference } from "../response.ts";
import { declaredAlong, hasSpellings, plainAt, type Declared } from "../declared-at.ts";
import type { TypeDeclaration } from "../declaration.ts";
import {
  requestField,
  before,
  hasEquivalentElements,
  isDiagnostic,
  isSetOfObjects,
  same,
  withoutSpelling,
  type Deviation,
  type Occasion,
} from "./occasion.ts";

const isPlan = ({ call }: Occasion): boolean => call.rpc === "PlanResourceChange";

/** Deviations in the results of handlers, also beside errors. */
export const inResponses: readonly Deviation[] = [
  {
    name: "values-with-errors",
    why: "The cores ignore the result of a plan, read, import, move or upgrade with errors; ours returns the values of the request.",
    covers: (one, { call, theirs, ours }) =>
      !isDiagnostic(one) && call.rpc !== "ApplyResourceChange" && (hasErrors(theirs.diagnostics) || hasErrors(ours.diagnostics)),
  },
  {
    name: "identity-that-no-handler-sets",
    why: "With the framework, a provider sets the whole identity after every change. With us, the identity may follow from the state; parts without a value in the state keep their known values.",
    covers: (one, occasion) => {
      if (!isDiagnostic(one)) return isKnownIdentity(one, occasion);
      return one.summary === "Unexpected Identity Change" && occasion.differences.some((other) => isKnownIdentity(other, occasion));
    },
  },
  {
    name: "identity-of-a-rejected-change",
    why: "The framework reports that an identity changed, and nevertheless returns the changed identity; ours returns the recorded one.",
    covers: (one, occasion) =>
      one.kind === "value" &&
      one.field === "newIdentity" &&
      hasErrors(occasion.ours.diagnostics) &&
      "plannedIdentity" in occasion.call.request,
  },
  {
    name: "identity-of-a-deleted-object",
    why: "The framework returns the identity of an object that a read reports as deleted, or an error if the identity is missing; ours returns no identity.",
    covers: (one, occasion) => {
      if (occasion.call.rpc !== "ReadResource" || occasion.ours.values["newState"]?.payload !== null) return false;
      if (isDiagnostic(one)) return one.side === "theirs" && one.summary === "Missing Resource Identity After Read";
      return one.kind === "value" && one.field === "newIdentity" && one.ours === null;
    },
  },
  {
    name: "elements-that-become-equal",
    why: "The framework rejects a set in which computed values make two elements equal; ours keeps one of them, as the cores expect of unknown elements.",
    covers: (one, occasion) => {
      // A handler that returns two elements as one has lost one of them, regardless of the SDK.
      if (isDiagnostic(one) && one.summary === brokenRule)
        return occasion.call.rpc === "ApplyResourceChange" && hasEquivalentElements(before(occasion));
      if (isDiagnostic(one)) return one.side === "theirs" && one.summary === "Duplicate Set Element";
      return one.kind === "value" && !isPlan(occasion) && hasEquivalentElements(plainAt(before(occasion), one.path));
    },
  },
  {
    name: "spellings-in-sets",
    why: "The framework compares elements of a set by position, and copies recorded values from one element to another; ours keeps the values of each element.",
    covers: (one, occasion) => {
      if (isPlan(occasion) || one.kind !== "value") return false;
      const along = declaredAlong(occasion.schema, one.path);
      if (!along.some(hasSpellings)) return false;
      if (
        along.some((declared) => isSetOfObjects(declared) || hasSet(declared)) &&
        same(withoutSpelling(one.theirs), withoutSpelling(one.ours))
      )
        return true;
      return same(one.ours, plainAt(before(occasion), one.path));
    },
  },
];

/** Whether the type of an attribute is a set, or contains one. */
function hasSet(declared: Declared | TypeDeclaration): boolean {
  if ("body" in declared) return false;
  if (declared.kind === "set" || ("element" in declared && hasSet(declared.element))) return true;
  return "members" in declared && Object.values(declared.members).some(hasSet);
}

/** Whether our identity has a known part where the framework's has null. */
function isKnownIdentity(one: Difference, occasion: Occasion): boolean {
  if (one.kind !== "value" || one.field !== "newIdentity" || one.theirs !== null || one.ours === null) return false;
  const known = ["plannedIdentity", "currentIdentity"]
    .map((name) => requestField(occasion, name))
    .find((identity) => identity !== undefined);
  return same(one.ours, plainAt(known, one.path));
}
