// SPDX-License-Identifier: Apache-2.0
import { CtyError, same, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { hasErrors, type Deferred } from "@tenon/schema";
import {
  importObject,
  moveObject,
  readObject,
  upgradeObject,
  type OperationOptions,
  type ResourceObject,
  type ResourceType,
} from "@tenon/schema/lifecycle";
import { goQuote } from "@tenon/cty/unstable/payload";
import { formatProviderConfigInstance, type ProviderConfigInstance } from "../address/provider-config.ts";
import { formatProvider } from "../address/provider.ts";
import type { ResourceInstanceObject } from "../address/resource.ts";
import { UpstreamError } from "../evaluation/cell.ts";
import { conversionText } from "../configuration/value-path.ts";
import type { StateObject } from "../state/state-object.ts";
import type { ConfiguredProvider, InstanceNode, ResourceWalk } from "../walk/resource-walk.ts";
import { objectIdentifier, type ObjectIdentifier } from "../events/object-identifier.ts";
import { combineMarks, schemaMarks, sensitiveMarks, sensitivePathsOf } from "../marks/object-marks.ts";
import type { Importing } from "../change/planned-changes.ts";
import { importIdentityType } from "./import-identity.ts";
import { operationOptions } from "./operation-options.ts";
import type { PlanRun } from "./plan-run.ts";
import { currentValue, recordOf, stateObjectOf, storedObjectOf, type ObjectRecord } from "./stored-resource.ts";
import { deferringCapabilities } from "../walk/provider-configuration.ts";
import { settleProvider } from "../walk/settle-provider.ts";

/** An object as it was found before it is planned. */
export interface FoundObject {
  readonly object: ResourceObject;
  readonly record: ObjectRecord;
  /** The same object as the state has it; absent where it differs in anything. */
  readonly stored?: StateObject;
  /** Why the provider could not read the object yet. Only where deferral is allowed. */
  readonly deferred?: Deferred;
}

/** The type of an object, and the provider that has it. */
export interface TypedProvider {
  readonly type: ResourceType;
  readonly provider: ConfiguredProvider;
}

/** The object that the state has, in the present version of its schema. */
export async function recordedObject(
  run: PlanRun,
  walk: ResourceWalk,
  node: InstanceNode,
  type: ResourceType,
): Promise<FoundObject | undefined> {
  const stored = run.previous.object({ instance: node.address });
  return stored && (await upgraded(run, walk, node, type, stored));
}

/** An object of a state in the present version of its schema; of another type, where it was moved. */
export async function upgraded(
  run: PlanRun,
  walk: ResourceWalk,
  node: Pick<InstanceNode, "text" | "address">,
  type: ResourceType,
  stored: StateObject,
): Promise<FoundObject> {
  const from = run.previousAddress(node.address);
  const options: OperationOptions = { address: node.text, ...(run.settings.signal && { signal: run.settings.signal }) };
  const source = run.previous.providerOf(node.address);
  const outcome =
    from.resource.type === node.address.resource.type
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
  settleProvider(walk, node, outcome.diagnostics, undefined);
  if (outcome.object === undefined) throw new UpstreamError();
  const isSame =
    stored.schemaVersion === outcome.object.schemaVersion &&
    stored.attributes !== undefined &&
    from.resource.type === node.address.resource.type &&
    same(currentValue(type, stored), outcome.object.value);
  return { object: outcome.object, record: recordOf(stored), ...(isSame && { stored }) };
}

/** The object with another record. */
export function withRecord({ object, record, stored }: FoundObject, changes: Partial<ObjectRecord>): FoundObject {
  const changed = { ...record, ...changes };
  const isSame =
    changed.createBeforeDestroy === record.createBeforeDestroy &&
    changed.skipDestroy === record.skipDestroy &&
    sameTexts(changed.dependencies, record.dependencies);
  return { object, record: changed, ...(isSame && stored && { stored }) };
}

/** Imports the object that an import block names. @throws UpstreamError after an error, which is reported. */
export async function importTheObject(
  run: PlanRun,
  walk: ResourceWalk,
  node: InstanceNode,
  type: ResourceType,
  importing: Importing,
): Promise<FoundObject | { readonly deferred: Deferred }> {
  const target = "id" in importing ? importing : { identity: identityOf(walk, node, type, importing.identity) };
  const address: ResourceInstanceObject = { instance: node.address };
  run.emit({ type: "importStarted", address, importing });
  let refresh: Refresh | undefined;
  // OpenTofu sends no `provider_meta` with the calls of an import.
  const outcome = await importObject(type, target, {
    address: node.text,
    // The object is read as soon as it is imported.
    observer: { onImported: (object) => (refresh = startRefresh(run, address, { object, record: unrecorded }, type)) },
    ...(walk.allowsDeferral && { clientCapabilities: deferringCapabilities }),
    ...(run.settings.signal && { signal: run.settings.signal }),
  });
  refresh?.ended(outcome.object?.value, outcome.status === "failed");
  const missing = outcome.diagnostics.find(({ summary }) => summary === "Cannot import non-existent remote object");
  if (missing !== undefined) {
    const detail = `While attempting to import an existing object to ${goQuote(node.text)}, the provider detected that no object exists with the given id or identity. Only pre-existing objects can be imported; check that the id or identity is correct and that it is associated with the provider's configured region or endpoint, or use "tofu apply" to create a new remote object for this resource.`;
    walk.root.settle(undefined, [{ severity: "error", summary: missing.summary, detail }]);
  }
  settleProvider(walk, node, outcome.diagnostics, undefined);
  if (outcome.deferred !== undefined) return { deferred: outcome.deferred };
  if (outcome.object === undefined) throw new UpstreamError();
  const value = outcome.object.value;
  const sensitivePaths = sensitivePathsOf(value, schemaMarks(type.schema.block, value));
  return { object: outcome.object, record: { ...unrecorded, sensitivePaths } };
}

/** The record of an object that no state has yet. */
const unrecorded: ObjectRecord = { sensitivePaths: [], dependencies: [], createBeforeDestroy: false, skipDestroy: false };

/** The identity of an import in the type of the resource's identity. */
function identityOf(walk: ResourceWalk, node: InstanceNode, type: ResourceType, given: Value): Value {
  const error = (detail: string): never =>
    walk.root.settle(undefined as never, [{ severity: "error", summary: "Invalid import identity argument", detail }]);
  const { identitySchema } = type;
  if (identitySchema === undefined) return error(`The resource type of ${node.text} has no identity: import it by its ID.`);
  try {
    return convert(given, importIdentityType(identitySchema));
  } catch (problem) {
    if (!(problem instanceof CtyError)) throw problem;
    return error(`The import identity of ${node.text} is unsuitable: ${conversionText(problem)}.`);
  }
}

/** Reads an object from its provider. Undefined: it does not exist any more. */
export async function refreshedObject(
  run: PlanRun,
  walk: ResourceWalk,
  node: Pick<InstanceNode, "text" | "address"> & Partial<Pick<InstanceNode, "block">>,
  { type, provider }: TypedProvider,
  found: FoundObject,
  deposed?: string,
): Promise<FoundObject | undefined> {
  const address: ResourceInstanceObject = { instance: node.address, ...(deposed !== undefined && { deposed }) };
  const refresh = startRefresh(run, address, found, type);
  const outcome = await readObject(type, found.object, await operationOptions(run, walk, node, provider.address.config.provider));
  refresh.ended(outcome.object?.value, hasErrors(outcome.diagnostics));
  settleProvider(walk, node, outcome.diagnostics, node.block?.config);
  if (outcome.deferred !== undefined) return { ...found, deferred: outcome.deferred };
  if (outcome.status === "unchanged") return found;
  return outcome.object && { object: outcome.object, record: found.record };
}

/** The reading of an object. `ended` emits that it was read. */
interface Refresh {
  readonly ended: (value: Value | undefined, failed: boolean) => void;
}

/** Emits that an object is read. */
function startRefresh(
  { emit }: PlanRun,
  address: ResourceInstanceObject,
  { object, record }: FoundObject,
  { schema }: ResourceType,
): Refresh {
  const identified = (value: Value): { readonly identifier?: ObjectIdentifier } => {
    const identifier = objectIdentifier(value, combineMarks(sensitiveMarks(record.sensitivePaths), schemaMarks(schema.block, value)));
    return identifier === undefined ? {} : { identifier };
  };
  emit({ type: "refreshStarted", address, ...identified(object.value) });
  return {
    ended: (value, failed) => emit({ type: "refreshEnded", address, failed, value, ...(value !== undefined && identified(value)) }),
  };
}

/** Records an object in a state that is being made, unless it is there already. */
export function put(
  draft: PlanRun["previous"],
  instance: InstanceNode["address"],
  provider: ConfiguredProvider,
  type: ResourceType,
  { object, record, stored }: FoundObject,
  deposed?: string,
): void {
  const address: ResourceInstanceObject = { instance, ...(deposed !== undefined && { deposed }) };
  if (stored !== undefined && draft.object(address) === stored && isSameProviderConfig(draft.providerOf(instance), provider.address))
    return;
  draft.setObject(address, stored ?? stateObjectOf(type, object, record), provider.address);
}

function isSameProviderConfig(a: ProviderConfigInstance | undefined, b: ProviderConfigInstance): boolean {
  return a !== undefined && formatProviderConfigInstance(a) === formatProviderConfigInstance(b);
}

/** Records an object, or that it does not exist any more, in the state as the providers report it. */
export function setRefreshed(
  run: PlanRun,
  node: InstanceNode,
  provider: ConfiguredProvider,
  type: ResourceType,
  found: FoundObject | undefined,
): void {
  if (found === undefined) run.refreshed.removeObject({ instance: node.address });
  else put(run.refreshed, node.address, provider, type, found);
}

/** All dependencies of both lists, those of the configuration first, as OpenTofu keeps them. */
export function merged(first: readonly string[], second: readonly string[]): readonly string[] {
  const known = new Set(first);
  const more = second.filter((one) => !known.has(one));
  return more.length === 0 ? first : [...first, ...more].sort();
}

/** Whether two lists have the same texts in the same order. */
export function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}
