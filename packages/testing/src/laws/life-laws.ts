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
      const updated = await checkApply(trial, what, planned, changed, live);
      if (updated === undefined) return;
      current = await checkObject(trial, what, updated, changed);
      if (current === undefined) return;
      await checkImport(trial, current);
      if (planned.action === "update") {
        await checkAgainstNew(trial, live, current, changed);
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

/**
 * Deletes an updated object, creates two new ones with its configuration, one after the other, and compares it with them. Where the two differ, the
 * remote system chose the value.
 */
async function checkAgainstNew(trial: Trial, live: LiveObject, updated: ResourceObject, config: Value): Promise<void> {
  await destroy(trial, live, updated);
  const first = live.current === undefined ? await createAgain(trial, live, config) : undefined;
  if (first === undefined) return;
  await destroy(trial, live, first);
  const second = live.current === undefined ? await createAgain(trial, live, config) : undefined;
  if (second === undefined) return;
  const { type } = first.value;
  if (type.kind !== "object") return;
  const chosen = type.names.filter((name) => !same(attributeOf(first.value, name), attributeOf(second.value, name)));
  const ignored = new Set([...trial.subject.ignored.onUpdate, ...chosen]);
  trial.expectSame(
    "update-equals-replace",
    "The updated object differs from a new one with the same configuration",
    second.value,
    updated.value,
    ignored,
  );
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
