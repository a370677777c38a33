// SPDX-License-Identifier: Apache-2.0
import type { DescField, DescService, JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { ServiceRegistration } from "./carrier.ts";

/** A `google.protobuf.Struct` as a map. Its keys may be any text. */
export type StructMap = Map<string, StructMapValue>;

/** A value in a {@link StructMap}. */
export type StructMapValue = null | boolean | number | string | StructMapValue[] | StructMap;

/** A message whose Structs are maps instead of JSON. */
export type WithStructMaps<Request> = {
  readonly [Field in keyof Request]: JsonObject extends NonNullable<Request[Field]> ? StructMap | undefined : Request[Field];
};

/** Handlers of a service whose requests have Structs as maps. */
type StructMapHandlers<Handlers> = {
  readonly [Method in keyof Handlers]: Handlers[Method] extends (request: infer Request, context: infer Context) => infer Response
    ? (request: WithStructMaps<Request>, context: Context) => Response
    : never;
};

/**
 * Combines a service and its implementation like `registration`. The requests of unary and server-streaming calls have Structs as maps, which takes
 * less time than JSON if the handlers need maps.
 */
export function structMapRegistration<Service extends DescService>(
  service: Service,
  implementation: Partial<StructMapHandlers<ServiceImpl<Service>>>,
): ServiceRegistration {
  return { service, implementation: implementation as ServiceRegistration["implementation"], structs: "map" };
}

/** Whether a field is a single Struct. */
export function isStructField(field: DescField): boolean {
  return field.fieldKind === "message" && field.oneof === undefined && field.message.typeName === "google.protobuf.Struct";
}

/** Converts a Struct that was read as JSON. */
export function structMapOf(json: JsonObject): StructMap {
  return new Map(Object.entries(json).map(([key, value]) => [key, mapValue(value)]));
}

function mapValue(value: JsonValue): StructMapValue {
  if (Array.isArray(value)) return value.map(mapValue);
  return typeof value === "object" && value !== null ? structMapOf(value) : value;
}
