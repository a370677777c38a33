// SPDX-License-Identifier: Apache-2.0
import { CtyError, same, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import type { PathMarks } from "@tenon/cty/paths";
import { hasErrors, type Deferred } from "@tenon/schema";
import { importObject, moveObject, readObject, upgradeObject, type OperationOptions, type ResourceObject } from "@tenon/schema/lifecycle";
import { goQuote } from "@tenon/cty/unstable/payload";
import { formatProviderConfigInstance, type ProviderConfigInstance } from "../address/provider-config.ts";
import { formatProvider } from "../address/provider.ts";
import type { ResourceInstanceObject } from "../address/resource.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import type { ResourceBlock } from "../configuration/resource.ts";
import { conversionText } from "../configuration/value-path.ts";
import type { StateDraft } from "../state/state-draft.ts";
import type { StateObject } from "../state/state-object.ts";
import type { ResourceWalk } from "../walk/resource-walk.ts";
import type { TypedProvider } from "../walk/walk-providers.ts";
import { objectIdentifier, type ObjectIdentifier } from "../events/object-identifier.ts";
import { combineMarks, schemaMarks, sensitiveMarks, sensitivePathsOf } from "../marks/object-marks.ts";
import type { Importing } from "../change/planned-changes.ts";
import { importIdentityType } from "./import-identity.ts";
import { operationOptions } from "./operation-options.ts";
import type { PlanRun } from "./plan-run.ts";
import { currentValue, recordOf, stateObjectOf, storedObjectOf, type ObjectRecord } from "./stored-resource.ts";
import { deferringCapabilities } from "../walk/provider-configuration.ts";
import { settleProvider } from "../walk/settle-provider.ts";

/** An object that exists before the plan: from the state, as its provider reports it, or imported. */
export interface ExistingObject {
  readonly object: ResourceObject;
  readonly record: ObjectRecord;
  /** The object in the state; absent if it differs in any way from this one. */
  readonly stored?: StateObject;
  /** Why the provider could not read the object yet. Only if the plan allows deferral. */
  readonly deferred?: Deferred;
}

/** An object of a managed resource, as planning addresses it: its type, and the configured provider that manages it. */
export interface ManagedObject extends TypedProvider {
  readonly address: ResourceInstanceObject;
  /** The address of its instance as text, for diagnostics. */
  readonly text: string;
  /** The block that declares its instance, if the configuration has one. */
  readonly block?: ResourceBlock | undefined;
}

/** The object of an instance in the state, upgraded to the current version of its schema. */
export function recordedObject(run: PlanRun, walk: ResourceWalk, managed: ManagedObject): Promise<ExistingObject> | undefined {
  const stored = run.previous.object(managed.address);
  return stored && upgradedObject(run, walk, managed, stored);
}

/** An object of a state, upgraded to the current version of its schema. If it was moved to another resource type, it is converted to that. */
export async function upgradedObject(
  run: PlanRun,
  walk: ResourceWalk,
  managed: ManagedObject,
  stored: StateObject,
): Promise<ExistingObject> {
  const { text, type } = managed;
  const { instance } = managed.address;
  const from = run.previousAddress(instance);
  const options: OperationOptions = { address: text, ...(run.settings.signal && { signal: run.settings.signal }) };
  const source = run.previous.providerOf(instance);
  const isSameType = from.resource.type === instance.resource.type;
  const outcome = isSameType
    ? await upgradeObject(type, storedObjectOf(stored), options)
    : await moveObject(
        type,
        {
          providerAddress: source === undefined ? type.providerAddress : formatProvider(source.config.provider),
          typeName: from.resource.type,
          stored: storedObjectOf(stored),
        },
        options,
      );
  settleProvider(walk, managed, outcome.diagnostics, undefined);
  if (outcome.object === undefined) throw new UpstreamError();
  const isSame =
    stored.schemaVersion === outcome.object.schemaVersion &&
    stored.attributes !== undefined &&
    isSameType &&
    same(currentValue(type, stored), outcome.object.value);
  return { object: outcome.object, record: recordOf(stored), ...(isSame && { stored }) };
}

/** The object with changes of its record. */
export function withRecord({ object, record, stored, deferred }: ExistingObject, changes: Partial<ObjectRecord>): ExistingObject {
  const changed = { ...record, ...changes };
  const isSame =
    changed.createBeforeDestroy === record.createBeforeDestroy &&
    changed.skipDestroy === record.skipDestroy &&
    sameTexts(changed.dependencies, record.dependencies);
  return { object, record: changed, ...(isSame && stored && { stored }), ...(deferred && { deferred }) };
}

/**
 * Imports the object that an import block names.
 *
 * @param configMarks Marks of the configuration, which the object gets.
 * @throws UpstreamError after an error, which is reported.
 */
export async function importedObject(
  run: PlanRun,
  walk: ResourceWalk,
  managed: ManagedObject,
  importing: Importing,
  configMarks: readonly PathMarks[] = [],
): Promise<ExistingObject | { readonly deferred: Deferred }> {
  const { address, text, type } = managed;
  run.emit({ type: "importStarted", address, importing });
  let refresh: Refresh | undefined;
  // OpenTofu sends no `provider_meta` with the calls of an import.
  const outcome = await importObject(type, importing, {
    address: text,
    // The object is read as soon as it is imported.
    observer: { onImported: (object) => (refresh = startRefresh(run, managed, { object, record: unrecorded })) },
    ...(walk.providers.allowsDeferral && { clientCapabilities: deferringCapabilities }),
    ...(run.settings.signal && { signal: run.settings.signal }),
  });
  refresh?.end(outcome.object?.value, outcome.status === "failed");
  const missing = outcome.diagnostics.find(({ summary }) => summary === "Cannot import non-existent remote object");
  if (missing !== undefined) {
    const detail = `While attempting to import an existing object to ${goQuote(text)}, the provider detected that no object exists with the given id or identity. Only pre-existing objects can be imported; check that the id or identity is correct and that it is associated with the provider's configured region or endpoint, or use "tofu apply" to create a new remote object for this resource.`;
    walk.root.settle(undefined, [{ severity: "error", summary: missing.summary, detail }]);
  }
  settleProvider(walk, managed, outcome.diagnostics, undefined);
  if (outcome.deferred !== undefined) return { deferred: outcome.deferred };
  if (outcome.object === undefined) throw new UpstreamError();
  const value = outcome.object.value;
  const sensitivePaths = sensitivePathsOf(value, combineMarks(configMarks, schemaMarks(type.schema.block, value)));
  return { object: outcome.object, record: { ...unrecorded, sensitivePaths } };
}

/** The record of an object that is not in the state yet. */
const unrecorded: ObjectRecord = { sensitivePaths: [], dependencies: [], createBeforeDestroy: false, skipDestroy: false };

/** What an import names, with its identity converted to the type of the resource's identity. @throws UpstreamError after an error, which is reported. */
export function resolvedImport(walk: ResourceWalk, managed: ManagedObject, importing: Importing): Importing {
  return "id" in importing ? importing : { identity: identityOf(walk, managed, importing.identity) };
}

function identityOf(walk: ResourceWalk, { text, type }: ManagedObject, given: Value): Value {
  const error = (detail: string): never =>
    walk.root.settle(undefined as never, [{ severity: "error", summary: "Invalid import identity argument", detail }]);
  const { identitySchema } = type;
  if (identitySchema === undefined) return error(`The resource type of ${text} has no identity: import it by its ID.`);
  try {
    return convert(given, importIdentityType(identitySchema));
  } catch (conversionError) {
    if (!(conversionError instanceof CtyError)) throw conversionError;
    return error(`The import identity of ${text} is unsuitable: ${conversionText(conversionError)}.`);
  }
}

/** Reads an object from its provider; undefined if it does not exist any more. */
export async function refreshedObject(
  run: PlanRun,
  walk: ResourceWalk,
  managed: ManagedObject,
  existing: ExistingObject,
): Promise<ExistingObject | undefined> {
  const refresh = startRefresh(run, managed, existing);
  const outcome = await readObject(managed.type, existing.object, await operationOptions(run, walk, managed));
  refresh.end(outcome.object?.value, hasErrors(outcome.diagnostics));
  settleProvider(walk, managed, outcome.diagnostics, managed.block?.config);
  if (outcome.deferred !== undefined) return { ...existing, deferred: outcome.deferred };
  if (outcome.status === "unchanged") return existing;
  return outcome.object && { object: outcome.object, record: existing.record };
}

/** The reading of an object, which is under way. */
interface Refresh {
  /** Emits the event of the end. */
  readonly end: (value: Value | undefined, failed: boolean) => void;
}

/** Emits the event of the start of the reading of an object. */
function startRefresh({ emit }: PlanRun, { address, type: { schema } }: ManagedObject, { object, record }: ExistingObject): Refresh {
  const identified = (value: Value): { readonly identifier?: ObjectIdentifier } => {
    const identifier = objectIdentifier(value, combineMarks(sensitiveMarks(record.sensitivePaths), schemaMarks(schema.block, value)));
    return identifier === undefined ? {} : { identifier };
  };
  emit({ type: "refreshStarted", address, ...identified(object.value) });
  return {
    end: (value, failed) => emit({ type: "refreshEnded", address, failed, value, ...(value !== undefined && identified(value)) }),
  };
}

/** Sets an object in a draft of a state, unless the draft has it already. */
export function setObject(draft: StateDraft, { address, type, provider }: ManagedObject, { object, record, stored }: ExistingObject): void {
  const hasObject =
    stored !== undefined && draft.object(address) === stored && isSameProviderConfig(draft.providerOf(address.instance), provider.address);
  if (!hasObject) draft.setObject(address, stored ?? stateObjectOf(type, object, record), provider.address);
}

function isSameProviderConfig(a: ProviderConfigInstance | undefined, b: ProviderConfigInstance): boolean {
  return a !== undefined && formatProviderConfigInstance(a) === formatProviderConfigInstance(b);
}

/** Sets an object in the refreshed state; removes it there if it does not exist any more. */
export function setRefreshed(run: PlanRun, managed: ManagedObject, existing: ExistingObject | undefined): void {
  if (existing === undefined) run.refreshed.removeObject(managed.address);
  else setObject(run.refreshed, managed, existing);
}

/** The dependencies of both lists, each once: the list of the configuration as it is if the other adds nothing, else all of them sorted. */
export function mergeDependencies(configured: readonly string[], recorded: readonly string[]): readonly string[] {
  const known = new Set(configured);
  const added = recorded.filter((one) => !known.has(one));
  return added.length === 0 ? configured : [...configured, ...added].sort();
}

/** Whether two lists have equal texts in the same order. */
export function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}
