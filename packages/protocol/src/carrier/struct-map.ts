// SPDX-License-Identifier: Apache-2.0
import type { DescField, DescService, JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { ServiceRegistration } from "./carrier.ts";

/** A `google.protobuf.Struct` as a map. Its keys may be any text. */
export type StructMap = Map<string, StructMapValue>;

/** A value in a {@link StructMap}. */
export type StructMapValue = null | boolean | number | string | StructMapValue[] | StructMap;

/** A `google.protobuf.Struct` of a request. It is decoded when a handler reads it, because handlers do not need all members of all Structs. */
export interface RequestStruct {
  /** Decodes the Struct. @throws ConnectError `InvalidArgument` if it is malformed. */
  read(): StructMap;
  /** Decodes the members with these names, and skips the values of others. @throws ConnectError `InvalidArgument` if it is malformed. */
  pick(names: ReadonlySet<string>): StructMap;
}

/** A request whose Structs are decoded when they are read. */
export type WithRequestStructs<Request> = {
  readonly [Field in keyof Request]: JsonObject extends NonNullable<Request[Field]> ? RequestStruct | undefined : Request[Field];
};

/** Handlers of a service whose requests have Structs that are decoded when they are read. */
type StructMapHandlers<Handlers> = {
  readonly [Method in keyof Handlers]: Handlers[Method] extends (request: infer Request, context: infer Context) => infer Response
    ? (request: WithRequestStructs<Request>, context: Context) => Response
    : never;
};

/**
 * Combines a service and its implementation like `registration`. The handlers of unary and server-streaming calls read the Structs of a request as
 * maps, which takes less time than JSON if they need maps, or only some members.
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

/** A Struct that was read as JSON. */
export function requestStructOf(json: JsonObject): RequestStruct {
  return {
    read: () => structMapOf(json),
    pick: (names) => structMapOf(Object.fromEntries(Object.entries(json).filter(([name]) => names.has(name)))),
  };
}

/** Converts a Struct that was read as JSON. */
export function structMapOf(json: JsonObject): StructMap {
  return new Map(Object.entries(json).map(([key, value]) => [key, mapValue(value)]));
}

function mapValue(value: JsonValue): StructMapValue {
  if (Array.isArray(value)) return value.map(mapValue);
  return typeof value === "object" && value !== null ? structMapOf(value) : value;
}
