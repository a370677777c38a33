// SPDX-License-Identifier: Apache-2.0
import type { ObjectMapping, PackageMapping, ValueMapping } from "../mapping/mapping.ts";

/**
 * Describes the names of a package for the converter of Terraform programs, as JSON: the token of each type, and the property of each attribute.
 *
 * @see pulumi-terraform-bridge pkg/tfbridge/info.go, MarshallableProviderInfo
 */
export function packageMappingData(mapping: PackageMapping): Uint8Array {
  const resources = [...mapping.resources.values()];
  const dataSources = [...mapping.functions.values()].filter((mapped) => mapped.kind === "dataSource");
  const info = {
    name: mapping.name,
    version: mapping.version,
    provider: {
      schema: objectSchema(mapping.config.object),
      resources: Object.fromEntries(resources.map(({ typeName, object }) => [typeName, objectSchema(object)])),
      dataSources: Object.fromEntries(dataSources.map(({ typeName, object }) => [typeName, objectSchema(object)])),
    },
    config: objectInfo(mapping.config.object),
    resources: Object.fromEntries(resources.map(({ typeName, token, object }) => [typeName, { tok: token, fields: objectInfo(object) }])),
    dataSources: Object.fromEntries(
      dataSources.map(({ typeName, token, object }) => [typeName, { tok: token, fields: objectInfo(object) }]),
    ),
  };
  return new TextEncoder().encode(JSON.stringify(info));
}

/** Numbers of types in the Go bridge. */
const valueTypes = { bool: 1, number: 3, string: 4, list: 5, map: 6, set: 7, dynamic: 8 } as const;

function objectSchema(object: ObjectMapping): object {
  return Object.fromEntries(
    object.properties.map(({ attribute, value, input, required }) => [
      attribute,
      {
        ...valueSchema(value),
        ...(required ? { required: true } : input ? { optional: true } : { computed: true }),
      },
    ]),
  );
}

function valueSchema(value: ValueMapping): object {
  switch (value.kind) {
    case "string":
    case "number":
    case "bool":
    case "dynamic":
      return { type: valueTypes[value.kind] };
    case "tuple":
      return { type: valueTypes.list };
    case "list":
    case "set":
      return { type: valueTypes[value.kind], element: element(value.elements[0]!) };
    case "only":
      return { type: valueTypes[value.of], maxItems: 1, element: element(value.element) };
    case "map":
      return { type: valueTypes.map, element: element(value.element) };
    default:
      return { type: valueTypes.map, element: { resource: objectSchema(value.object) } };
  }
}

function element(value: ValueMapping): object {
  return value.kind === "object" ? { resource: objectSchema(value.object) } : { schema: valueSchema(value) };
}

function objectInfo(object: ObjectMapping): object {
  return Object.fromEntries(object.properties.map(({ attribute, property, value }) => [attribute, { name: property, ...partInfo(value) }]));
}

function partInfo(value: ValueMapping): object {
  switch (value.kind) {
    case "object":
      return { fields: objectInfo(value.object) };
    case "only":
      return { maxItemsOne: true, element: partInfo(value.element) };
    case "list":
    case "set":
      return { element: partInfo(value.elements[0]!) };
    case "map":
      return { element: partInfo(value.element) };
    default:
      return {};
  }
}
