// SPDX-License-Identifier: Apache-2.0
import { hasErrors } from "@tenon/schema";
import { brokenRule } from "../answer.ts";
import { declaredAlong, hasSpellings, plainAt } from "../declared-at.ts";
import { before, hasTwins, isSaid, isSetOfObjects, same, withoutSpelling, type Deviation, type Occasion } from "./occasion.ts";

const isPlan = ({ call }: Occasion): boolean => call.rpc === "PlanResourceChange";

/** In what handlers answered, and beside errors. */
export const inAnswers: readonly Deviation[] = [
  {
    name: "answer-beside-an-error",
    why: "What a plan, read, import, move or upgrade answers beside its errors is thrown away by the cores: ours answers what it was asked with.",
    covers: (one, occasion) => !isSaid(one) && occasion.call.rpc !== "ApplyResourceChange" && hasErrors(occasion.theirs.diagnostics),
  },
  {
    name: "identity-that-was-refused",
    why: "The framework reports that an identity changed, and answers the changed one all the same; ours keeps the recorded one.",
    covers: (one, occasion) =>
      one.kind === "value" &&
      one.field === "newIdentity" &&
      hasErrors(occasion.ours.diagnostics) &&
      "plannedIdentity" in occasion.call.request,
  },
  {
    name: "identity-of-nothing",
    why: "The framework answers the identity of what a read finds gone, and where there was none reports that it is missing; ours answers none.",
    covers: (one, occasion) => {
      if (occasion.call.rpc !== "ReadResource" || occasion.ours.values["newState"]?.payload !== null) return false;
      if (isSaid(one)) return one.side === "theirs" && one.summary === "Missing Resource Identity After Read";
      return one.kind === "value" && one.field === "newIdentity" && one.ours === null;
    },
  },
  {
    name: "elements-that-become-equal",
    why: "The framework refuses a set in which what a handler worked out makes two elements equal; ours has it once, as the cores expect of elements that were not known.",
    covers: (one, occasion) => {
      // A handler that answers two elements as one has lost one of them, whoever carries its answer.
      if (isSaid(one) && one.summary === brokenRule) return occasion.call.rpc === "ApplyResourceChange" && hasTwins(before(occasion));
      if (isSaid(one)) return one.side === "theirs" && one.summary === "Duplicate Set Element";
      return one.kind === "value" && !isPlan(occasion) && hasTwins(plainAt(before(occasion), one.path));
    },
  },
  {
    name: "spellings-in-sets",
    why: "The framework compares elements of a set by position, and puts what is recorded of one element into another; ours keeps what was there.",
    covers: (one, occasion) => {
      if (isPlan(occasion) || one.kind !== "value") return false;
      const along = declaredAlong(occasion.schema, one.path);
      if (!along.some(hasSpellings)) return false;
      if (along.some(isSetOfObjects) && same(withoutSpelling(one.theirs), withoutSpelling(one.ours))) return true;
      return same(one.ours, plainAt(before(occasion), one.path));
    },
  },
];
