// SPDX-License-Identifier: Apache-2.0
import { same, type Value } from "@tenon/cty";
import { hasErrors } from "@tenon/schema";
import { applyChange, createResourceObject, planChange, planDestroy, validateConfig, type ResourceObject } from "@tenon/schema/lifecycle";
import { attributeOf } from "../generate/body.ts";
import { checkApply, checkDelete, checkImport, checkObject, LiveObject } from "./object-laws.ts";
import { checkDestroyPlan, checkPlan } from "./plan-laws.ts";
import { checkGeneratedConfiguration, checkUpgrade } from "./state-laws.ts";
import { checkEarlierVersions, checkMoves, checkUnknownSource } from "./stored-laws.ts";
import type { LawCase, Subject } from "./subject.ts";
import { Trial } from "./trial.ts";
import { checkValidation } from "./validation-laws.ts";

/** Holds one case against the laws: validates, plans, and, where changes are applied, creates, reads, imports, changes and deletes an object. */
export async function runTrial(subject: Subject, of: LawCase): Promise<Trial> {
  const trial = new Trial(subject, of);
  subject.calls.take();
  await run(trial);
  if (trial.hasCrashed) await subject.calls.restart();
  return trial;
}

async function run(trial: Trial): Promise<void> {
  const { subject } = trial;
  const { config, unknowns, changed } = trial.case;
  if (!(await checkValidation(trial, config, unknowns))) return;
  trial.isValid = true;
  const isChangeValid = !same(config, changed) && (await isValidChange(trial, changed));
  await checkUnknownSource(trial);
  if (!subject.applies) return await checkPlans(trial, isChangeValid);
  await checkEarlierVersions(trial);
  await checkMoves(trial);
  const live = new LiveObject();
  try {
    await checkLife(trial, live, isChangeValid);
  } finally {
    await deleteRest(trial, live);
  }
  await checkRemaining(trial);
}

/** Whether the configuration that the object is changed to is valid. The laws of validation are checked with the other configuration. */
async function isValidChange(trial: Trial, changed: Value): Promise<boolean> {
  const diagnostics = await trial.attempt("validation", () => validateConfig(trial.subject.type, changed));
  return diagnostics !== undefined && !hasErrors(diagnostics);
}

/** Plans without an apply: the prior object is made from the plan of the new one. */
async function checkPlans(trial: Trial, isChangeValid: boolean): Promise<void> {
  const { config, unknowns, changed, changedUnknowns, priorOf } = trial.case;
  const created = await checkPlan(trial, "the plan of a new object", config, unknowns);
  if (created === undefined) return;
  trial.outcomes.push("planned");
  const prior = createResourceObject({
    value: priorOf(created.after),
    private: created.private,
    identity: undefined,
    status: "ready",
    schemaVersion: trial.subject.type.schema.version,
  });
  trial.isPriorMadeUp = true;
  await checkUpgrade(trial, prior);
  trial.isChanged = isChangeValid;
  if (isChangeValid) await checkPlan(trial, "the plan of a change", changed, changedUnknowns, prior);
  await checkDestroyPlan(trial, prior);
}

async function checkLife(trial: Trial, live: LiveObject, isChangeValid: boolean): Promise<void> {
  const { config, unknowns, changed, changedUnknowns } = trial.case;
  const object = await checkCreate(trial, live, config, unknowns);
  if (object === undefined) return;
  trial.outcomes.push("created");
  let current = await checkObject(trial, "the creation", object, config);
  if (current === undefined) return;
  await checkUpgrade(trial, current);
  await checkImport(trial, current);
  await checkGeneratedConfiguration(trial, current);
  if (isChangeValid) {
    trial.isChanged = true;
    const planned = await checkPlan(trial, "the plan of a change", changed, changedUnknowns, current);
    if (planned !== undefined && planned.action !== "noOp") {
      trial.outcomes.push(planned.action === "replace" ? "replaced" : "updated");
      const what = planned.action === "replace" ? "the replacement" : "the update";
      const prior = current;
      const updated = await checkApply(trial, what, planned, changed, live);
      if (updated === undefined) return;
      current = await checkObject(trial, what, updated, changed);
      if (current === undefined) return;
      await checkImport(trial, current);
      if (planned.action === "update") {
        await destroy(trial, live, current);
        await checkAgainstNew(trial, live, { prior: prior.value, updated: current.value, config: changed });
        return;
      }
    }
  }
  await destroy(trial, live, current);
}

async function checkCreate(trial: Trial, live: LiveObject, config: Value, unknowns: Value): Promise<ResourceObject | undefined> {
  const planned = await checkPlan(trial, "the plan of a new object", config, unknowns);
  return planned && (await checkApply(trial, "the creation", planned, config, live));
}

async function destroy(trial: Trial, live: LiveObject, object: ResourceObject): Promise<void> {
  const planned = await checkDestroyPlan(trial, object);
  if (planned !== undefined) await checkDelete(trial, object, planned, live);
}

/** Values of an update: the object before and after it, and its configuration. */
interface Update {
  readonly prior: Value;
  readonly updated: Value;
  readonly config: Value;
}

/** Pause in milliseconds before the third creation. It is longer than a second, the precision of many timestamps in states. */
const clockStepMs = 1100;

/**
 * Creates new objects with the configuration of an update, one after the other, and compares the updated object with them. Where two new ones differ,
 * the remote system chose the value. A value may depend on the clock: a third object is created later, before a difference counts.
 */
async function checkAgainstNew(trial: Trial, live: LiveObject, update: Update): Promise<void> {
  const first = await createAndDelete(trial, live, update.config);
  const second = first && (await createAndDelete(trial, live, update.config));
  if (first === undefined || second === undefined) return;
  let created = second;
  let stale = staleNames(trial, update, created, differentNames(trial, first, second));
  const { independentOfClock } = trial.subject;
  if (!stale.every((name) => independentOfClock.has(name))) {
    await new Promise((resolve) => setTimeout(resolve, clockStepMs));
    const third = await createAndDelete(trial, live, update.config);
    if (third === undefined) return;
    stale = staleNames(trial, update, third, [...differentNames(trial, first, second), ...differentNames(trial, second, third)]);
    for (const name of stale) independentOfClock.add(name);
    created = third;
  }
  if (stale.length === 0) return;
  const what = "The updated object differs from a new one with the same configuration";
  const others = differentNames(trial, created, update.updated).filter((name) => !stale.includes(name));
  trial.expectSame("update-equals-replace", what, created, update.updated, new Set(others));
}

/** The names of attributes that an update should have set as a creation does, and did not. @param chosen - names that the remote system chooses */
function staleNames(trial: Trial, { prior, updated, config }: Update, created: Value, chosen: readonly string[]): readonly string[] {
  const { attributes } = trial.subject.type.schema.block;
  return differentNames(trial, created, updated).filter((name) => {
    if (chosen.includes(name) || trial.subject.ignored.onUpdate.has(name)) return false;
    const attribute = attributes[name];
    const isLeftToProvider = attribute?.computed === true && attribute.nested === undefined && attributeOf(config, name).payload === null;
    if (!isLeftToProvider) return true;
    // An update keeps the value of an optional attribute that the configuration no longer sets: the cores propose it. A value that is neither that of
    // the prior object nor that of a new one depends on the life of the object, as a number of changes does.
    return !attribute.optional && same(attributeOf(updated, name), attributeOf(prior, name));
  });
}

/** Names of the attributes and blocks in which two objects differ. */
function differentNames(trial: Trial, one: Value, other: Value): readonly string[] {
  const { type } = one;
  return type.kind === "object" ? type.names.filter((name) => !trial.isSame(attributeOf(one, name), attributeOf(other, name))) : [];
}

/** Creates an object with a configuration, and deletes it. Returns undefined if either fails. */
async function createAndDelete(trial: Trial, live: LiveObject, config: Value): Promise<Value | undefined> {
  if (live.current !== undefined) return undefined;
  const created = await createAgain(trial, live, config);
  if (created !== undefined) await destroy(trial, live, created);
  return created?.value;
}

async function createAgain(trial: Trial, live: LiveObject, config: Value): Promise<ResourceObject | undefined> {
  const { type } = trial.subject;
  const planned = await trial.attempt("the plan of another object", () => planChange(type, { config, configValidated: true }));
  if (planned?.planned === undefined) return undefined;
  return await checkApply(trial, "the creation of another object", planned.planned, config, live);
}

/** Deletes what is left after a violation, without checks. */
async function deleteRest(trial: Trial, live: LiveObject): Promise<void> {
  const { type } = trial.subject;
  const { current } = live;
  if (current === undefined) return;
  await trial.attempt("the deletion of the rest", async () => {
    const { planned, diagnostics } = await planDestroy(type, current);
    if (planned === undefined || hasErrors(diagnostics)) return;
    const { object } = await applyChange(type, planned);
    live.set(object);
  });
}

async function checkRemaining(trial: Trial): Promise<void> {
  const remaining = await trial.subject.remaining?.();
  const isNothing = remaining === undefined || remaining === 0 || (Array.isArray(remaining) && remaining.length === 0);
  if (!isNothing) trial.violate("nothing-remains", `After all objects are deleted, there remains: ${JSON.stringify(remaining)}`);
}
