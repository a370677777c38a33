// SPDX-License-Identifier: Apache-2.0
import type { Difference } from "../answer.ts";
import { plainOf, unknownText } from "../compare.ts";
import { declaredAlong, hasDefaultsUnconfigured, hasSpellings, isWorkedOut, plainAt, type Declared } from "../declared-at.ts";
import { isComputed } from "../declaration.ts";
import { asked, isSaid, isSetOfObjects, same, stepsOf, withoutSpelling, type Deviation, type Occasion } from "./occasion.ts";

const setElements: Deviation = {
  name: "elements-of-sets",
  why: "The framework finds the configuration of a set's element by its value after defaults are in it, and its record by position, and misses both; ours tells elements apart by what is configured in them.",
  covers: (one, occasion) => (!isSaid(one) || one.summary === "Duplicate Set Element") && leadsToWorkedOutSet(one, occasion),
};

/** The set that a path leads to or into, if something in its elements is worked out. */
function leadsToWorkedOutSet(one: Difference, { schema }: Occasion): boolean {
  return declaredAlong(schema, stepsOf(one)).some((declared) => isSetOfObjects(declared) && isWorkedOut(declared.body));
}

const sameMeaning: Deviation = {
  name: "same-meaning-in-plans",
  why: "The framework asks for semantic equality only in what handlers answer; ours also in plans, so that another spelling in a configuration is no change.",
  covers: (one, occasion) => {
    if (isSaid(one)) return false;
    const prior = plainAt(asked(occasion, "priorState"), stepsOf(one));
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
  why: "What is computed becomes unknown, and is modified, when anything changes. Where only one side sees a change, for one of the reasons here, that shows in all of it.",
  covers: (one, occasion) => {
    if (isSaid(one) || !seesAnotherChange(occasion)) return false;
    const attribute = declaredAlong(occasion.schema, stepsOf(one)).at(-1);
    if (attribute === undefined || !("mode" in attribute) || !isComputed(attribute)) return false;
    if (one.kind === "replace") return attribute.modifiers?.some((name) => name.startsWith("requiresReplace")) === true;
    const prior = plainAt(asked(occasion, "priorState"), one.path);
    const changed = same(one.ours, prior) ? one.theirs : one.ours;
    return same(changed === one.ours ? one.theirs : one.ours, prior) && (changed === unknownText || changed === "fixed");
  },
};

/** Whether one side has reason to see a change where the other sees none. */
function seesAnotherChange(occasion: Occasion): boolean {
  if (occasion.differences.some((other) => setElements.covers(other, occasion) || sameMeaning.covers(other, occasion))) return true;
  const [prior, proposed] = [asked(occasion, "priorState"), asked(occasion, "proposedNewState")];
  const { attributes, blocks = {} } = occasion.schema;
  const isLost = ([name, declared]: readonly [string, Declared]): boolean =>
    holdsWorkedOutSet(declared) && !same(plainAt(prior, [name]), plainAt(proposed, [name]));
  if ([...Object.entries(attributes), ...Object.entries(blocks)].some(isLost)) return true;
  return hasDefaultsUnconfigured(occasion.schema, prior, asked(occasion, "config"));
}

/** Whether there is a set in it whose elements a core does not recognise once something in them is worked out. */
function holdsWorkedOutSet(declared: Declared): boolean {
  if (!("body" in declared)) return false;
  if (isSetOfObjects(declared) && isWorkedOut(declared.body)) return true;
  return [...Object.values(declared.body.attributes), ...Object.values(declared.body.blocks ?? {})].some(holdsWorkedOutSet);
}

const newElements: Deviation = {
  name: "new-elements-have-no-state",
  why: "The framework's useStateForUnknown plans null in an object that is not recorded yet, which the provider then cannot set; ours leaves it unknown.",
  covers: (one, occasion) => {
    if (one.kind !== "value" || one.theirs !== null) return false;
    const attribute = declaredAlong(occasion.schema, one.path).at(-1);
    const parent = plainAt(asked(occasion, "priorState"), one.path.slice(0, -1));
    const isLeftUnknown = one.ours === unknownText || (one.ours === "fixed" && attribute?.modifiers?.includes("fixed") === true);
    return isLeftUnknown && attribute?.modifiers?.includes("useStateForUnknown") === true && (parent === undefined || parent === null);
  },
};

const wholeOfParts: Deviation = {
  name: "replaced-with-its-parts",
  why: "Where a part is planned otherwise, for one of the reasons here, so is its whole, which one side may then replace.",
  covers: (one, occasion) =>
    one.kind === "replace" &&
    occasion.differences.some(
      (other) =>
        other.kind === "value" &&
        one.steps.every((step, at) => other.path[at] === step) &&
        [setElements, sameMeaning, changeElsewhere, newElements].some(({ covers }) => covers(other, occasion)),
    ),
};

const everyFailure: Deviation = {
  name: "every-plan-modifier",
  why: "The framework stops at the first plan modifier that fails, of attributes in random order; ours reports all that do.",
  covers: (one, occasion) =>
    isSaid(one) &&
    one.side === "ours" &&
    one.summary === "Plan modifier failed" &&
    occasion.theirs.diagnostics.some(({ summary }) => summary === "Plan modifier failed"),
};

const insideFirst: Deviation = {
  name: "inside-first",
  why: "The framework asks the plan modifiers of a whole before those of its parts, and so replaces for a whole that its parts then leave as it was (which the cores ignore), and asks parts that came from the state with their whole; ours asks the parts first.",
  covers: (one, occasion) => {
    if (one.kind === "value" || one.side !== "theirs") return false;
    const around = declaredAlong(occasion.schema, one.steps);
    if (isSaid(one)) return one.summary === "Plan modifier failed" && around.some((declared) => "body" in declared && isModified(declared));
    const planned = plainAt(plainOf(occasion.theirs.values["plannedState"], false), one.steps);
    return same(planned, plainAt(asked(occasion, "priorState"), one.steps));
  },
};

/** Whether a whole, or a whole inside of it, has plan modifiers. */
function isModified(declared: Declared): boolean {
  if (!("body" in declared)) return false;
  return (declared.modifiers ?? []).length > 0 || Object.values(declared.body.attributes).some(isModified);
}

/** In plans. */
export const inPlans: readonly Deviation[] = [
  setElements,
  sameMeaning,
  changeElsewhere,
  newElements,
  wholeOfParts,
  everyFailure,
  insideFirst,
].map((one) => ({
  ...one,
  covers: (difference, occasion) => occasion.call.rpc === "PlanResourceChange" && one.covers(difference, occasion),
}));
