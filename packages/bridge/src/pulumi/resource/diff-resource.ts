// SPDX-License-Identifier: Apache-2.0
import { hasErrors } from "@tenon/schema";
import { planChange, type PlannedChange, type ResourceObject } from "@tenon/schema/lifecycle";
import type { Value } from "@tenon/cty";
import { type Payload, payloadsEqual, typedPayloadsEqual } from "@tenon/cty/unstable/payload";
import { BridgeError } from "../../error.ts";
import { attributeOf } from "../../value-parts.ts";
import type { ObjectMapping } from "../mapping/mapping.ts";
import type { PropertyMap } from "../property/property-value.ts";
import { alignDynamicTypes } from "../values/align-dynamic.ts";
import { formatPropertyPath, propertyPathOf } from "../values/property-path.ts";
import { propertiesOf } from "../values/property-state.ts";
import { nameProperty } from "../mapping/auto-named.ts";
import { hasOwnName } from "./auto-name.ts";
import { errorTexts, showWarnings } from "./bridge-context.ts";
import { detailedDiff, type PropertyChange } from "./detailed-diff.ts";
import { ignoringChanges } from "./ignored-changes.ts";
import { validConfigOf, type ResourceContext } from "./resource-context.ts";
import { decodePriorState } from "./resource-state.ts";
import { withStoredTimeouts } from "./resource-timeouts.ts";

/** Input of {@link planUpdate}. */
export interface ChangeRequest {
  /** Outputs of the existing resource. */
  readonly state: PropertyMap;
  /** Checked inputs. */
  readonly inputs: PropertyMap;
  /** Paths of properties whose changes are ignored, in the engine's notation. */
  readonly ignoreChanges: readonly string[];
}

/** Input of {@link diffResource}. */
export interface DiffRequest extends ChangeRequest {
  /** Decodes properties of the inputs of the existing resource: only those of changed properties are needed. */
  readonly oldInputs: (names: ReadonlySet<string>) => PropertyMap;
}

/** Planned change of an existing resource. */
export interface ResourcePlan {
  readonly planned: PlannedChange;
  readonly prior: ResourceObject;
  readonly config: Value;
}

/** Difference between a resource and its new inputs. */
export interface ResourceDiff {
  readonly changes: "none" | "some";
  readonly properties: readonly PropertyChange[];
  readonly replaces: boolean;
  readonly deleteBeforeReplace: boolean;
}

/** Plans the change of an existing resource. @throws BridgeError `PROVIDER_FAILED` if the provider reports an error. */
export async function planUpdate(context: ResourceContext, request: ChangeRequest): Promise<ResourcePlan> {
  const prior = await decodePriorState(context, request.state);
  const { object } = context.resource;
  const given = validConfigOf(context, withStoredTimeouts(object, request.inputs, request.state));
  const config = alignDynamicTypes(object, given, prior.value);
  const ignoreChanges = ignoringChanges(object, request.ignoreChanges);
  const { planned, diagnostics } = await planChange(context.type, {
    ...context.options,
    prior,
    config,
    ...(ignoreChanges ? { ignoreChanges } : {}),
  });
  if (planned === undefined || hasErrors(diagnostics)) {
    throw new BridgeError("PROVIDER_FAILED", errorTexts(diagnostics).join("\n"));
  }
  showWarnings(context, diagnostics, context.urn);
  return { planned, prior, config };
}

/** Compares an existing resource with its new inputs. */
export async function diffResource(context: ResourceContext, request: DiffRequest): Promise<ResourceDiff> {
  const { planned, prior } = await planUpdate(context, request);
  if (planned.action === "noOp") return { changes: "none", properties: [], replaces: false, deleteBeforeReplace: false };
  const { object } = context.resource;
  const replaces = planned.action === "replace";
  const replacements = planned.requiresReplace.map((path) => propertyPathOf(object, path)).filter((path) => path.length > 0);
  // A tainted object is replaced although no property requires that.
  if (replaces && replacements.length === 0) replacements.push(["id"]);
  const changed = changedPart(object, prior.value, planned.after);
  const oldInputs = request.oldInputs(new Set([...changed.properties.map(({ property }) => property), nameProperty]));
  const properties = detailedDiff(changed, {
    before: propertiesOf(changed, prior.value, { secrets: false, numbers: "comparable" }),
    after: propertiesOf(changed, planned.after, { secrets: false, numbers: "comparable" }),
    inputs: request.inputs,
    oldInputs,
    replacements: replaces ? replacements : [],
  });
  return { changes: "some", properties, replaces, deleteBeforeReplace: replaces && keepsOwnName(context, request.inputs, oldInputs) };
}

/** The properties of an object whose values differ or are unknown. Equal values have equal properties, so that the others are not converted. */
function changedPart(mapping: ObjectMapping, before: Value, after: Value): ObjectMapping {
  return { ...mapping, properties: mapping.properties.filter(({ attribute }) => !isUnchanged(before, after, attribute)) };
}

function isUnchanged(before: Value, after: Value, attribute: string): boolean {
  const { type } = before;
  if (type !== after.type) {
    const [left, right] = [attributeOf(before, attribute), attributeOf(after, attribute)];
    return left !== undefined && right !== undefined && typedPayloadsEqual(left.type, left.payload, right.type, right.payload) === true;
  }
  if (type.kind !== "object" || !Array.isArray(before.payload) || !Array.isArray(after.payload)) return false;
  // Values of one type, which is the usual case, are compared without a value for each attribute.
  const slot = type.slots.get(attribute);
  if (slot === undefined) return false;
  const [left, right] = [(before.payload as readonly Payload[])[slot]!, (after.payload as readonly Payload[])[slot]!];
  if (typeof left === "string" && typeof right === "string") return left === right;
  return left === null ? right === null : payloadsEqual(type.attributes[attribute]!, left, right) === true;
}

/** Whether the new object would have the same name as the old one. The provider may reject its creation while the old one exists. */
function keepsOwnName({ resource, resourceName }: ResourceContext, inputs: PropertyMap, oldInputs: PropertyMap): boolean {
  return hasOwnName(resource.object, inputs, resourceName) && inputs.get(nameProperty) === oldInputs.get(nameProperty);
}

/** Names of the properties that changed, without repetition. */
export function changedProperties(changes: readonly PropertyChange[]): readonly string[] {
  return [...new Set(changes.map(({ path }) => formatPropertyPath(path.slice(0, 1))))];
}
