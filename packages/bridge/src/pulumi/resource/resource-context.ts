// SPDX-License-Identifier: Apache-2.0
import type { ObjectType, Value } from "@tenon/cty";
import { impliedType } from "@tenon/schema";
import { resourceType, type ConfigOptions, type ResourceType } from "@tenon/schema/lifecycle";
import { BridgeError } from "../../error.ts";
import type { ResourceMapping } from "../mapping/mapping.ts";
import type { PropertyMap } from "../property/property-value.ts";
import { providerValue, type ProviderValue } from "../values/provider-value.ts";
import type { BridgeContext } from "./bridge-context.ts";
import { parseUrn } from "./resource-urn.ts";

/** Context of an operation on a resource. */
export interface ResourceContext extends BridgeContext {
  readonly resource: ResourceMapping;
  readonly type: ResourceType;
  readonly urn: string;
  /** Name of the resource in the program. */
  readonly resourceName: string;
  /** The engine has every configuration checked before it uses it, so that operations do not validate it again. */
  readonly options: ConfigOptions;
}

/**
 * Finds the type of the resource that a URN names.
 *
 * @throws BridgeError `INVALID_REQUEST` if the package has no such type.
 */
export async function resourceContext(context: BridgeContext, urn: string, signal: AbortSignal): Promise<ResourceContext> {
  const { token, name } = parseUrn(urn);
  const resource = context.mapping.resources.get(token);
  if (resource === undefined) {
    throw new BridgeError("INVALID_REQUEST", `the package ${context.mapping.name} has no resource type ${JSON.stringify(token)}`);
  }
  const known = knownTypes.get(resource);
  const type = known?.provider === context.provider ? known : await requestedType(context, resource, signal);
  return {
    ...context,
    resource,
    type,
    urn,
    resourceName: name,
    options: { address: `${resource.typeName}.${name}`, signal, configValidated: true },
  };
}

/** Types of resources whose schemas the provider has returned. */
const knownTypes = new WeakMap<ResourceMapping, ResourceType>();

async function requestedType(
  { provider, providerAddress }: BridgeContext,
  resource: ResourceMapping,
  signal: AbortSignal,
): Promise<ResourceType> {
  const type = await resourceType(provider, resource.typeName, { providerAddress, signal });
  knownTypes.set(resource, type);
  return type;
}

/** Type of the resource's values. */
export function valueTypeOf({ type }: ResourceContext): ObjectType {
  return impliedType(type.schema.block);
}

/** Converts inputs to a configuration. */
export function configOf(context: ResourceContext, inputs: PropertyMap): ProviderValue {
  return providerValue(context.resource.object, valueTypeOf(context), inputs, { of: "config" });
}

/**
 * Converts checked inputs to a configuration.
 *
 * @throws BridgeError `INVALID_PROPERTIES` with all problems.
 */
export function validConfigOf(context: ResourceContext, inputs: PropertyMap): Value {
  const { value, problems } = configOf(context, inputs);
  if (problems.length === 0) return value;
  const texts = problems.map(({ property, reason }) => `${property}: ${reason}`);
  throw new BridgeError("INVALID_PROPERTIES", `the inputs of ${context.urn} are invalid: ${texts.join("; ")}`);
}
