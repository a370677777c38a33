// SPDX-License-Identifier: Apache-2.0
import type { Difference } from "../response.ts";
import { plainOf, stepsOf as answerSteps, unknownText } from "../compare.ts";
import { declaredAlong, hasDefaultsUnconfigured, hasSpellings, isWorkedOut, plainAt, type Declared } from "../declared-at.ts";
import { isComputed } from "../declaration.ts";
import { requestField, isDiagnostic, isSetOfObjects, same, stepsOf, withoutSpelling, type Deviation, type Occasion } from "./occasion.ts";

const setElements: Deviation = {
  name: "elements-of-sets",
  why: "The framework finds the configuration of a set's element by its value after defaults, and the prior state by position. It finds neither, calls plan modifiers with values that should be unknown, and replaces configured values by defaults before it calls them. Ours identifies elements by their configured values.",
  covers: (one, occasion) => {
    const isConsequence = !isDiagnostic(one) || one.summary === "Duplicate Set Element" || one.summary === "Plan modifier failed";
    return isConsequence && leadsToWorkedOutSet(one, occasion);
  },
};

/** Finds the set on a path whose elements have a computed, defaulted or modified part. */
function leadsToWorkedOutSet(one: Difference, { schema }: Occasion): boolean {
  return declaredAlong(schema, stepsOf(one)).some((declared) => isSetOfObjects(declared) && isWorkedOut(declared.body));
}

const equalByDefault: Deviation = {
  name: "elements-equal-by-default",
  why: "If a default makes two elements of a set equal, the framework drops one of them without a diagnostic, except at the top level, where it rejects the set. Ours rejects the set everywhere, because configured values would be lost. A plan that one side rejects lacks the values and diagnostics of the other side.",
  covers: (one, occasion) => {
    const { theirs, ours } = occasion;
    const refusal = ours.diagnostics.find(({ summary }) => summary === "Duplicate set element");
    if (refusal === undefined) {
      return isDiagnostic(one) && one.side === "ours" && theirs.diagnostics.some(({ summary }) => summary === "Duplicate Set Element");
    }
    const around = declaredAlong(occasion.schema, answerSteps(refusal.attribute ?? []));
    if (!around.some((declared) => isSetOfObjects(declared) && isWorkedOut(declared.body))) return false;
    if (one.kind === "value") return same(one.ours, plainAt(requestField(occasion, "proposedNewState"), one.path));
    return one.side === "theirs" || (isDiagnostic(one) && one.summary === refusal.summary);
  },
};

const unknownAfterPlan: Deviation = {
  name: "unknown-after-plan",
  why: "If a resource's own plan changes a value although the configuration has not changed, the framework keeps computed values, so that an update cannot compute them again. With us they become unknown, as when the configuration changes.",
  covers: (one, occasion) => {
    if (one.kind !== "value" || !("plans" in occasion.schema) || occasion.schema.plans !== true) return false;
    const attribute = declaredAlong(occasion.schema, one.path).at(-1);
    const isOwn = attribute !== undefined && "mode" in attribute && isComputed(attribute);
    const isUnknown = one.ours === unknownText || (one.ours === "fixed" && attribute?.modifiers?.includes("fixed") === true);
    return isOwn && isUnknown && same(one.theirs, plainAt(requestField(occasion, "priorState"), one.path));
  },
};

const replacedAfterPlan: Deviation = {
  name: "replaced-after-plan",
  why: "If a resource's own plan changes a value whose change requires replacement, the framework does not call the plan modifier any more, and updates the object; ours replaces it.",
  covers: (one, occasion) => {
    if (one.kind !== "replace" || one.side !== "ours" || !("plans" in occasion.schema) || occasion.schema.plans !== true) return false;
    const attribute = declaredAlong(occasion.schema, one.steps).at(-1);
    if (attribute?.modifiers?.some((name) => name.startsWith("requiresReplace")) !== true) return false;
    const [theirs, ours] = [occasion.theirs, occasion.ours].map(({ values }) => plainAt(plainOf(values["plannedState"], false), one.steps));
    return same(theirs, ours) && !same(ours, plainAt(requestField(occasion, "priorState"), one.steps));
  },
};

const sameMeaning: Deviation = {
  name: "same-meaning-in-plans",
  why: "The framework checks semantic equality only in results of handlers; ours also in plans, so that another spelling in a configuration is not a change.",
  covers: (one, occasion) => {
    if (isDiagnostic(one)) return false;
    const prior = plainAt(requestField(occasion, "priorState"), stepsOf(one));
    const planned = plainAt(plainOf(occasion.ours.values["plannedState"], false), stepsOf(one));
    const spelled = declaredAlong(occasion.schema, stepsOf(one)).at(-1);
    if (spelled === undefined || !hasSpellings(spelled)) return false;
    return one.kind === "value" ? isOtherSpelling(one.theirs, one.ours) : one.side === "theirs" && same(prior, planned);
  },
};

function isOtherSpelling(a: unknown, b: unknown): boolean {
  return !same(a, b) && same(withoutSpelling(a), withoutSpelling(b));
}

const changeElsewhere: Deviation = {
  name: "unknown-when-something-changes",
  why: "If anything changes, computed values become unknown and plan modifiers are called. If only one side has a change, because of another deviation, all computed values differ, and so do the values that the plan modifiers get.",
  covers: (one, occasion) => {
    if ((isDiagnostic(one) && one.summary !== "Plan modifier failed") || !seesAnotherChange(occasion)) return false;
    const attribute = declaredAlong(occasion.schema, stepsOf(one)).at(-1);
    if (attribute === undefined || !("mode" in attribute) || !isComputed(attribute)) return false;
    if (isDiagnostic(one)) return true;
    if (one.kind === "replace") return attribute.modifiers?.some((name) => name.startsWith("requiresReplace")) === true;
    const prior = plainAt(requestField(occasion, "priorState"), one.path);
    const changed = same(one.ours, prior) ? one.theirs : one.ours;
    return same(changed === one.ours ? one.theirs : one.ours, prior) && (changed === unknownText || changed === "fixed");
  },
};

/** Whether one side has a reason for a change that the other side does not have. */
function seesAnotherChange(occasion: Occasion): boolean {
  if (occasion.differences.some((other) => setElements.covers(other, occasion) || sameMeaning.covers(other, occasion))) return true;
  const [prior, proposed] = [requestField(occasion, "priorState"), requestField(occasion, "proposedNewState")];
  const { attributes, blocks = {} } = occasion.schema;
  const isLost = ([name, declared]: readonly [string, Declared]): boolean =>
    holdsWorkedOutSet(declared) && !same(plainAt(prior, [name]), plainAt(proposed, [name]));
  if ([...Object.entries(attributes), ...Object.entries(blocks)].some(isLost)) return true;
  return hasDefaultsUnconfigured(occasion.schema, prior, requestField(occasion, "config"));
}

/** Whether it contains a set whose elements a core does not recognise after a part of them is computed. */
function holdsWorkedOutSet(declared: Declared): boolean {
  if (!("body" in declared)) return false;
  if (isSetOfObjects(declared) && isWorkedOut(declared.body)) return true;
  return [...Object.values(declared.body.attributes), ...Object.values(declared.body.blocks ?? {})].some(holdsWorkedOutSet);
}

const newElements: Deviation = {
  name: "new-elements-have-no-state",
  why: "The framework's useStateForUnknown plans null in an object without a prior state, so that the provider cannot set the value; ours keeps it unknown.",
  covers: (one, occasion) => {
    if (one.kind !== "value" || one.theirs !== null) return false;
    const attribute = declaredAlong(occasion.schema, one.path).at(-1);
    const parent = plainAt(requestField(occasion, "priorState"), one.path.slice(0, -1));
    const isLeftUnknown = one.ours === unknownText || (one.ours === "fixed" && attribute?.modifiers?.includes("fixed") === true);
    return isLeftUnknown && attribute?.modifiers?.includes("useStateForUnknown") === true && (parent === undefined || parent === null);
  },
};

const wholeOfParts: Deviation = {
  name: "replaced-with-its-parts",
  why: "If the plan of a part differs because of another deviation, so does the plan of the whole, which one side may then replace.",
  covers: (one, occasion) =>
    one.kind === "replace" &&
    occasion.differences.some(
      (other) =>
        other.kind === "value" &&
        one.steps.every((step, at) => other.path[at] === step) &&
        [setElements, unknownAfterPlan, sameMeaning, changeElsewhere, newElements].some(({ covers }) => covers(other, occasion)),
    ),
};

const everyFailure: Deviation = {
  name: "every-plan-modifier",
  why: "The framework stops at the first plan modifier that fails, with attributes in random order, and before them at a set with two equal elements; ours reports all failures.",
  covers: (one, occasion) =>
    isDiagnostic(one) &&
    one.side === "ours" &&
    one.summary === "Plan modifier failed" &&
    occasion.theirs.diagnostics.some(({ summary }) => summary === "Plan modifier failed" || summary === "Duplicate Set Element"),
};

const insideFirst: Deviation = {
  name: "inside-first",
  why: "The framework calls the plan modifiers of a whole before those of its parts. So it requires replacement for a whole that its parts then do not change (which the cores ignore), and also calls those of parts that the whole took from the state. Ours calls those of the parts first.",
  covers: (one, occasion) => {
    if (one.kind === "value" || one.side !== "theirs") return false;
    const around = declaredAlong(occasion.schema, one.steps);
    if (isDiagnostic(one)) return one.summary === "Plan modifier failed" && (around.some(isModified) || isRecalled(one.steps, occasion));
    const planned = plainAt(plainOf(occasion.theirs.values["plannedState"], false), one.steps);
    return same(planned, plainAt(requestField(occasion, "priorState"), one.steps));
  },
};

/** Whether a nested attribute or block, or one inside it, has plan modifiers. */
function isModified(declared: Declared): boolean {
  if (!("body" in declared)) return false;
  return (declared.modifiers ?? []).length > 0 || Object.values(declared.body.attributes).some(isModified);
}

/** Whether a path leads to a nested attribute that the provider has set, or into one. */
function isRecalled(steps: readonly (string | number)[], occasion: Occasion): boolean {
  const config = requestField(occasion, "config");
  return steps.some((_, at) => {
    const path = steps.slice(0, at + 1);
    const declared = declaredAlong(occasion.schema, path).at(-1);
    const isNested = declared !== undefined && "mode" in declared && "body" in declared && isComputed(declared);
    return isNested && plainAt(config, path) === null;
  });
}

const planAfterFailure: Deviation = {
  name: "own-plan-after-a-failure",
  why: "Where a plan modifier fails with the framework only, for one of the reasons here, the framework does not call the resource's own plan, and lacks its diagnostics.",
  covers: (one, occasion) =>
    isDiagnostic(one) &&
    one.side === "ours" &&
    "plans" in occasion.schema &&
    occasion.schema.plans === true &&
    occasion.differences.some(
      (other) =>
        isDiagnostic(other) &&
        other.side === "theirs" &&
        other.summary === "Plan modifier failed" &&
        [setElements, insideFirst].some(({ covers }) => covers(other, occasion)),
    ),
};

/** Deviations in plans. */
export const inPlans: readonly Deviation[] = [
  setElements,
  equalByDefault,
  unknownAfterPlan,
  replacedAfterPlan,
  sameMeaning,
  changeElsewhere,
  newElements,
  wholeOfParts,
  everyFailure,
  insideFirst,
  planAfterFailure,
].map((one) => ({
  ...one,
  covers: (difference, occasion) => occasion.call.rpc === "PlanResourceChange" && one.covers(difference, occasion),
}));
