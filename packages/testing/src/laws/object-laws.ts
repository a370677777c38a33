// SPDX-License-Identifier: Apache-2.0
import { isNull, nullOf, objectOf, of, same, string, type Value } from "@tenon/cty";
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
import { attributeOf, mapBlock } from "../generate/body.ts";
import { checkDeferredImport, checkDeferredRead } from "./deferral-laws.ts";
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
    return trial.violate("identity-kept", `After ${after} the identity does not fit the identity schema.`);
  const missing = Object.entries(identitySchema.attributes).filter(
    ([name, { requiredForImport }]) => requiredForImport && attributeOf(identity, name).payload === null,
  );
  if (missing.length > 0) {
    const names = missing.map(([name]) => name).join(", ");
    trial.violate("identity-kept", `After ${after} the identity lacks ${names}, which an import needs.`);
  }
}

async function checkRead(trial: Trial, after: string, object: ResourceObject): Promise<ResourceObject | undefined> {
  const what = `the read after ${after}`;
  await checkDeferredRead(trial, what, object);
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
  if (id !== undefined) await checkImported(trial, object, { id }, "the ID");
  const { identity } = object;
  if (identity === undefined) return;
  const isImported = await checkImported(trial, object, { identity }, "the identity");
  const required = requiredPart(trial, identity);
  if (!isImported || same(required, identity)) return;
  const isFound = await checkImported(trial, object, { identity: required }, "the required part of the identity");
  if (!isFound)
    trial.violate("import-equals-state", "An import by the whole identity succeeds, and one by the parts that are required for it fails.");
}

/** The identity without what an import may leave out. */
function requiredPart(trial: Trial, identity: Value): Value {
  const { attributes } = trial.subject.type.identitySchema!;
  const parts = Object.entries(attributes).map(([name, { requiredForImport }]) => {
    const part = attributeOf(identity, name);
    return [name, requiredForImport ? part : nullOf(part.type)] as const;
  });
  return objectOf(new Map(parts));
}

/** Imports an object. Returns whether the provider imports it in this way. */
async function checkImported(trial: Trial, object: ResourceObject, target: ImportTarget, by: string): Promise<boolean> {
  const { type, ignored, isImportIdGiven } = trial.subject;
  await checkDeferredImport(trial, `the import by ${by}`, target);
  const outcome = await trial.attempt("the import", () => importObject(type, target));
  if (outcome === undefined) return false;
  if (outcome.status === "notFound" && ("identity" in target || isImportIdGiven))
    trial.violate("import-equals-state", `The import by ${by} finds no object, although it exists.`);
  if (outcome.object === undefined) {
    // Not every resource can be imported in every way.
    trial.outcomes.push(`an import by ${by} is refused`);
    return false;
  }
  trial.outcomes.push(`imported by ${by}`);
  trial.expectSame(
    "import-equals-state",
    `The object that is imported by ${by} differs from the state`,
    object.value,
    outcome.object.value,
    // Timeouts are in the configuration alone. terraform-plugin-testing ignores them in its comparison, too.
    new Set([...ignored.onImport, "timeouts"]),
  );
  if (object.identity !== undefined && (outcome.object.identity === undefined || !same(outcome.object.identity, object.identity))) {
    trial.violate("identity-kept", `The object that is imported by ${by} has another identity.`);
  }
  return true;
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
  else if (read.status !== "notFound") {
    if (await isOnlyInState(trial, object)) trial.outcomes.push("the state is the only record of the object");
    else trial.violate("gone-after-delete", "The read after the deletion still returns the object.");
  }
}

/**
 * Whether the state is the provider's only record of an object, as in providers of times and random values. The read of such a provider also returns an
 * object that was never created.
 */
async function isOnlyInState(trial: Trial, { value, ...object }: ResourceObject): Promise<boolean> {
  const { type } = trial.subject;
  const { attributes } = type.schema.block;
  const texts = Object.keys(attributes).filter((name) => typeof attributeOf(value, name).payload === "string");
  const changed = new Set(texts.includes("id") ? ["id"] : texts);
  if (changed.size === 0) return false;
  const neverCreated = mapBlock(type.schema.block, value, ({ at }, before) =>
    changed.has(at) && typeof before.payload === "string" ? of(string, `${before.payload}-never-created`) : before,
  );
  const read = await trial.attempt("the read of an object that was never created", () =>
    readObject(type, { ...object, value: neverCreated }),
  );
  return read?.object !== undefined && same(read.object.value, neverCreated);
}
