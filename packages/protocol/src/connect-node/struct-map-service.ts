// SPDX-License-Identifier: Apache-2.0
import type { DescMethod, JsonObject } from "@bufbuild/protobuf";
import type { ServiceRegistration } from "../carrier/carrier.ts";
import { isStructField, structMapOf } from "../carrier/struct-map.ts";

type Handler = (request: unknown, context: unknown) => unknown;

/** Converts each Struct of a request to a map, which Connect has read as JSON, if the service takes maps. */
export function withStructMaps(registered: ServiceRegistration): ServiceRegistration {
  const { service, implementation, structs } = registered;
  if (structs !== "map") return registered;
  const methods = service.methods.flatMap((method) => {
    const handler = implementation[method.localName] as Handler | undefined;
    return handler === undefined ? [] : [[method.localName, withMaps(method, handler.bind(implementation))] as const];
  });
  return { service, implementation: Object.fromEntries(methods) as unknown as ServiceRegistration["implementation"] };
}

function withMaps({ input, methodKind }: DescMethod, handler: Handler): Handler {
  const names = input.fields.filter(isStructField).map(({ localName }) => localName);
  if (methodKind === "client_streaming" || methodKind === "bidi_streaming") return handler;
  return (request, context) => {
    const fields = request as Readonly<Record<string, JsonObject | undefined>>;
    const maps = names.flatMap((name) => (fields[name] === undefined ? [] : [[name, structMapOf(fields[name])] as const]));
    return handler({ ...fields, ...Object.fromEntries(maps) }, context);
  };
}
