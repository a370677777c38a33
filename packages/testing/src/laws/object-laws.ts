// SPDX-License-Identifier: Apache-2.0
import { isNull, same, type Value } from "@tenon/cty";
import { hasErrors, identityType, type ApplyResourceChangeResponse } from "@tenon/schema";
import {
  applyChange,
  importObject,
  planChange,
  readObject,
  type ApplyOutcome,
  type ImportTarget,
  type PlannedChange,
  type ResourceObject,
} from "@tenon/schema/lifecycle";
import type { Trial } from "./trial.ts";

/** Applies a plan. Returns the object that exists then, if the apply succeeded. */
export async function checkApply(
  trial: Trial,
  what: string,
  planned: PlannedChange,
  config: Value,
  live: LiveObject,
): Promise<ResourceObject | undefined> {
  const observer = { onObject: (object: ResourceObject | undefined) => live.set(object) };
  const outcome = await trial.attempt(what, () =>
    applyChange(trial.subject.type, planned, { config, replan: true, configValidated: true, observer }),
  );
  if (outcome === undefined) return undefined;
  if (!trial.succeeded(outcome.diagnostics, what, "kept-plan", "can-apply")) return undefined;
  return outcome.object;
}

/** The object that exists now, to delete it at the end whatever happens. */
export class LiveObject {
  #object: ResourceObject | undefined;

  get current(): ResourceObject | undefined {
    return this.#object;
  }

  set(object: ResourceObject | undefined): void {
    this.#object = object;
  }
}

/** Checks an object that was just applied: its identity, read, second plan and import. Returns the object as it is read. */
export async function checkObject(trial: Trial, after: string, object: ResourceObject, config: Value): Promise<ResourceObject | undefined> {
  checkIdentity(trial, after, object.identity);
  await checkEmptyPlan(trial, `after ${after}`, object, config);
  const read = await checkRead(trial, after, object);
  // Other laws would report the same values again.
  if (read === undefined || trial.hasViolated("stable-read")) return undefined;
  await checkEmptyPlan(trial, `after a read after ${after}`, read, config);
  return read;
}

function checkIdentity(trial: Trial, after: string, identity: Value | undefined): void {
  const { identitySchema } = trial.subject.type;
  if (identitySchema === undefined) return;
  if (identity === undefined)
    return trial.violate("identity-kept", `After ${after} the object has no identity, although its type has an identity schema.`);
  if (identity.type !== identityType(identitySchema))
    trial.violate("identity-kept", `After ${after} the identity does not fit the identity schema.`);
}

async function checkRead(trial: Trial, after: string, object: ResourceObject): Promise<ResourceObject | undefined> {
  const what = `the read after ${after}`;
  const outcome = await trial.attempt(what, () => readObject(trial.subject.type, object));
  if (outcome === undefined || !trial.succeeded(outcome.diagnostics, what, "stable-read", "stable-read")) return undefined;
  if (outcome.status === "notFound" || outcome.object === undefined) {
    trial.violate("stable-read", `After ${after} the object is not found.`);
    return undefined;
  }
  const { identity } = outcome.object;
  if (object.identity !== undefined && (identity === undefined || !same(identity, object.identity))) {
    trial.violate("identity-kept", `The read after ${after} ${identity === undefined ? "returns no identity" : "changes the identity"}.`);
  }
  trial.expectSame("stable-read", `The read after ${after} returns other values`, object.value, outcome.object.value);
  return outcome.object;
}

async function checkEmptyPlan(trial: Trial, when: string, object: ResourceObject, config: Value): Promise<void> {
  const what = `the plan ${when}`;
  const outcome = await trial.attempt(what, () => planChange(trial.subject.type, { config, prior: object, configValidated: true }));
  if (outcome === undefined || !trial.succeeded(outcome.diagnostics, what, "valid-plan", "empty-second-plan")) return;
  const { action, after, requiresReplace } = outcome.planned!;
  if (action === "noOp") {
    if (requiresReplace.length > 0) trial.violate("no-replacement-of-nothing", `${what} changes nothing, and requires a replacement`);
    return;
  }
  const isEqual = trial.expectSame("empty-second-plan", `${what} is not empty, and the configuration is the same`, object.value, after);
  if (isEqual) trial.violate("empty-second-plan", `${what} is to ${action} the object, and the configuration is the same`);
}

/** Imports an object by its ID and by its identity, and compares it with the one in the state. */
export async function checkImport(trial: Trial, object: ResourceObject): Promise<void> {
  const id = trial.subject.importId(object);
  if (id !== undefined) await checkImported(trial, object, { id });
  if (object.identity !== undefined) await checkImported(trial, object, { identity: object.identity });
}

async function checkImported(trial: Trial, object: ResourceObject, target: ImportTarget): Promise<void> {
  const { type, ignored } = trial.subject;
  const by = "id" in target ? "the ID" : "the identity";
  const outcome = await trial.attempt("the import", () => importObject(type, target));
  if (outcome === undefined) return;
  if (outcome.object === undefined) {
    // Not every resource can be imported in every way.
    trial.outcomes.push(`an import by ${by} is refused`);
    return;
  }
  trial.outcomes.push(`imported by ${by}`);
  trial.expectSame(
    "import-equals-state",
    `The object that is imported by ${by} differs from the state`,
    object.value,
    outcome.object.value,
    ignored.onImport,
  );
  if (object.identity !== undefined && (outcome.object.identity === undefined || !same(outcome.object.identity, object.identity))) {
    trial.violate("identity-kept", `The object that is imported by ${by} has another identity.`);
  }
}

/** Deletes an object, and checks that it is gone. */
export async function checkDelete(trial: Trial, object: ResourceObject, planned: PlannedChange, live: LiveObject): Promise<void> {
  const { type, calls } = trial.subject;
  calls.take();
  let outcome: ApplyOutcome | undefined;
  try {
    outcome = await applyChange(type, planned);
  } catch (error) {
    await trial.attempt("the deletion", () => Promise.reject(error as Error));
    return;
  }
  const response = calls.take().find(({ name }) => name === "applyResourceChange")?.response as ApplyResourceChangeResponse | undefined;
  live.set(outcome.object);
  if (!trial.succeeded(outcome.diagnostics, "the deletion", "kept-plan", "can-apply")) return;
  if (response !== undefined && response.private.length > 0) {
    trial.violate("gone-after-delete", "The deletion returns private data of an object that does not exist any more.");
  }
  if (response?.newIdentity !== undefined && !isNull(response.newIdentity)) {
    trial.violate("gone-after-delete", "The deletion returns the identity of an object that does not exist any more.");
  }
  const read = await trial.attempt("the read after the deletion", () => readObject(type, object));
  if (read === undefined || trial.subject.except.has("gone-after-delete")) return;
  if (hasErrors(read.diagnostics))
    trial.succeeded(read.diagnostics, "the read after the deletion", "gone-after-delete", "gone-after-delete");
  else if (read.status !== "notFound") trial.violate("gone-after-delete", "The read after the deletion still returns the object.");
}
