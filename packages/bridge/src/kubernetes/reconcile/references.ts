// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from "node:util";
import type { ApiClient } from "../machinery/client/api-client.ts";
import type { ApiResource } from "../machinery/client/api-resource.ts";
import type { KindMapping, ObjectMapping, ReferenceMapping } from "../mapping/mapping.ts";
import { fieldOf, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "../values/json-value.ts";
import { annotationOf, type ManagedResource } from "./managed-resource.ts";
import { StepFailure } from "./step-failure.ts";

/** A kind to which other kinds refer. */
export interface RelatedKind {
  readonly kind: KindMapping;
  readonly resource: ApiResource;
}

/** The context in which references are resolved. */
export interface ReferenceContext {
  readonly client: ApiClient;
  /** Returns the kind of a resource type; undefined if it has none. */
  readonly relatedKind: (typeName: string) => RelatedKind | undefined;
  readonly signal: AbortSignal;
}

const failureReason = "CannotResolveResourceReferences";

/**
 * Resolves the references and selectors in `spec.forProvider`, also in nested objects.
 *
 * A reference is resolved once: its value is stored in the field of the attribute. With the policy `resolve: Always`, it is resolved each time.
 *
 * @returns A merge patch for `spec.forProvider`; undefined if there is nothing to resolve.
 * @throws StepFailure if a required object does not exist, or does not have the value yet.
 */
export async function resolveReferences(
  context: ReferenceContext,
  { fields }: Pick<KindMapping, "fields">,
  owner: ManagedResource,
): Promise<JsonObject | undefined> {
  return await resolveObject(context, fields, owner, owner.spec.forProvider);
}

async function resolveObject(
  context: ReferenceContext,
  mapping: ObjectMapping,
  owner: ManagedResource,
  json: JsonObject,
): Promise<JsonObject | undefined> {
  const patch: Record<string, JsonValue> = {};
  for (const field of mapping.fields) {
    if (field.parameter === "absent") continue;
    const given = fieldOf(json, field.name);
    if (field.reference) Object.assign(patch, await resolveField(context, field.reference, owner, json, field.name));
    if (field.value.kind === "object" && isJsonObject(given)) {
      const nested = await resolveObject(context, field.value.object, owner, given);
      if (nested) patch[field.name] = nested;
    }
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** Returns the fields to set for one reference: the value, and the names of the objects that a selector found. */
async function resolveField(
  context: ReferenceContext,
  reference: ReferenceMapping,
  owner: ManagedResource,
  json: JsonObject,
  name: string,
): Promise<JsonObject> {
  const { referenceName, selectorName, isList } = reference;
  const given = fieldOf(json, referenceName);
  const references = (isList ? (isJsonArray(given) ? given : []) : [given]).filter(isJsonObject);
  const selector = fieldOf(json, selectorName);
  const policy = policyOf(references[0] ?? (isJsonObject(selector) ? selector : undefined));
  if (fieldOf(json, name) !== undefined && policy.resolve !== "Always") return {};
  try {
    if (references.length > 0) {
      const values = await Promise.all(references.map((one) => referencedValue(context, reference, owner, one)));
      return withChange(json, name, isList ? values : values[0]!);
    }
    if (!isJsonObject(selector)) return {};
    const selected = await selectedObjects(context, reference, owner, selector);
    const values = selected.map((object) => valueOf(context, reference, object));
    const names = selected.map(({ metadata }) => ({ name: metadata.name }));
    return { ...withChange(json, name, isList ? values : values[0]!), ...withChange(json, referenceName, isList ? names : names[0]!) };
  } catch (error) {
    if (error instanceof StepFailure && policy.resolution === "Optional") return {};
    throw error;
  }
}

/** The field with a value, unless the object has it already. */
function withChange(json: JsonObject, name: string, value: JsonValue): JsonObject {
  return isDeepStrictEqual(fieldOf(json, name), value) ? {} : { [name]: value };
}

async function referencedValue(
  context: ReferenceContext,
  reference: ReferenceMapping,
  owner: ManagedResource,
  one: JsonObject,
): Promise<JsonValue> {
  const { resource } = related(context, reference);
  const name = textOf(one, "name") ?? "";
  const namespace = resource.namespaced ? (textOf(one, "namespace") ?? owner.metadata.namespace) : undefined;
  const object = await context.client.find<ManagedResource>(resource, { name, namespace }, { signal: context.signal });
  if (object === undefined)
    throw new StepFailure(
      failureReason,
      `the ${resource.kind} ${JSON.stringify(name)} that ${reference.referenceName} names does not exist`,
    );
  return valueOf(context, reference, object);
}

async function selectedObjects(
  context: ReferenceContext,
  reference: ReferenceMapping,
  owner: ManagedResource,
  selector: JsonObject,
): Promise<readonly ManagedResource[]> {
  const { resource } = related(context, reference);
  const labels = fieldOf(selector, "matchLabels");
  const labelSelector = isJsonObject(labels)
    ? Object.entries(labels)
        .map(([name, value]) => `${name}=${value as string}`)
        .join(",")
    : "";
  const namespace = resource.namespaced ? (textOf(selector, "namespace") ?? owner.metadata.namespace) : undefined;
  const { items } = await context.client.list<ManagedResource>(resource, { namespace, labelSelector, signal: context.signal });
  const controller = controllerOf(owner);
  const found = items
    .filter(
      (object) => fieldOf(selector, "matchControllerRef") !== true || (controller !== undefined && controllerOf(object) === controller),
    )
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  if (found.length === 0) throw new StepFailure(failureReason, `${reference.selectorName} selects no ${resource.kind}`);
  return reference.isList ? found : found.slice(0, 1);
}

/** The value of the attribute in the rule or, without one, the external name. */
function valueOf(context: ReferenceContext, reference: ReferenceMapping, object: ManagedResource): JsonValue {
  const { resource, kind } = related(context, reference);
  const { attribute } = reference.rule;
  const where = `the ${resource.kind} ${object.metadata.name}`;
  if (attribute === undefined) {
    const name = annotationOf(object, "externalName");
    if (name !== undefined) return name;
    throw new StepFailure(failureReason, `${where} has no external name yet`);
  }
  const field = (kind.results ?? kind.fields).fields.find((candidate) => candidate.attribute === attribute);
  const value = field && fieldOf(object.status?.atProvider, field.name);
  if (value !== undefined && value !== null && value !== "") return value;
  throw new StepFailure(failureReason, `${where} has no value of ${attribute} yet`);
}

function related({ relatedKind }: ReferenceContext, { rule, referenceName }: ReferenceMapping): RelatedKind {
  const found = relatedKind(rule.type);
  if (found === undefined)
    throw new StepFailure(failureReason, `${referenceName} refers to ${rule.type}, which has no kind here`, { repeats: false });
  return found;
}

function policyOf(reference: JsonObject | undefined): {
  readonly resolve?: JsonValue | undefined;
  readonly resolution?: JsonValue | undefined;
} {
  const policy = fieldOf(reference, "policy");
  return isJsonObject(policy) ? { resolve: fieldOf(policy, "resolve"), resolution: fieldOf(policy, "resolution") } : {};
}

function controllerOf({ metadata }: ManagedResource): string | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller)?.uid;
}

function textOf(json: JsonObject, name: string): string | undefined {
  const value = fieldOf(json, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}
