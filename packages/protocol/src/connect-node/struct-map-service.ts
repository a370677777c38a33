// SPDX-License-Identifier: Apache-2.0
import type { DescMethod, JsonObject } from "@bufbuild/protobuf";
import type { ServiceRegistration } from "../carrier/carrier.ts";
import { isStructField, requestStructOf } from "../carrier/struct-map.ts";

type Handler = (request: unknown, context: unknown) => unknown;

/** Converts each Struct of a request, which Connect has read as JSON, if the service reads Structs as maps. */
export function withStructMaps(registered: ServiceRegistration): ServiceRegistration {
  const { service, implementation, structs } = registered;
  if (structs !== "map") return registered;
  const methods = service.methods.flatMap((method) => {
    const handler = implementation[method.localName] as Handler | undefined;
    return handler === undefined ? [] : [[method.localName, withStructs(method, handler.bind(implementation))] as const];
  });
  return { service, implementation: Object.fromEntries(methods) as unknown as ServiceRegistration["implementation"] };
}

function withStructs({ input, methodKind }: DescMethod, handler: Handler): Handler {
  const names = input.fields.filter(isStructField).map(({ localName }) => localName);
  if (methodKind === "client_streaming" || methodKind === "bidi_streaming") return handler;
  return (request, context) => {
    const fields = request as Readonly<Record<string, JsonObject | undefined>>;
    const structs = names.flatMap((name) => (fields[name] === undefined ? [] : [[name, requestStructOf(fields[name])] as const]));
    return handler({ ...fields, ...Object.fromEntries(structs) }, context);
  };
}
