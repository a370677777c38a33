// SPDX-License-Identifier: Apache-2.0
import { isType } from "@tenon/cty";
import { decodeType, encodeType } from "@tenon/cty/json";
import type { FunctionSignature, IdentitySchema, Schema } from "@tenon/schema";
import type { JsonValue } from "../definition/call-context.ts";
import type { CompiledComponent } from "../compile/any-component.ts";

/** The part of a component that is available before its code is loaded: its names, and its schema or signature for the cores. */
export type ComponentHeader =
  | {
      readonly kind: "resource";
      readonly name: string;
      readonly typeName: string;
      readonly protocol: Schema;
      readonly identity?: { readonly protocol: IdentitySchema };
    }
  | {
      readonly kind: Exclude<CompiledComponent["kind"], "resource" | "function">;
      readonly name: string;
      readonly typeName: string;
      readonly protocol: Schema;
    }
  | {
      readonly kind: "function";
      readonly name: string;
      readonly typeName: string;
      readonly signature: FunctionSignature;
      readonly needsClient: boolean;
    };

/** The header of one component, as JSON. */
export type ManifestEntry = { readonly [name: string]: JsonValue };

/** Returns the header of a component, as JSON. */
export function manifestEntry(component: CompiledComponent): ManifestEntry {
  const { kind, name, typeName } = component;
  const schema: object =
    kind === "function"
      ? { signature: component.signature, needsClient: component.needsClient }
      : {
          protocol: component.protocol,
          ...(kind === "resource" && component.identity !== undefined ? { identity: { protocol: component.identity.protocol } } : {}),
        };
  return toJson({ kind, name, typeName, ...schema }) as ManifestEntry;
}

/** Returns the header that {@link manifestEntry} wrote. */
export function headerFrom(entry: ManifestEntry): ComponentHeader {
  return fromJson(entry) as ComponentHeader;
}

/** Converts a part of a schema to JSON. Types have a JSON notation of their own; all other parts are plain data. */
function toJson(part: unknown): JsonValue {
  if (isType(part)) return { "~type": JSON.parse(encodeType(part)) as JsonValue };
  if (Array.isArray(part)) return part.map(toJson);
  if (typeof part !== "object" || part === null) return part as JsonValue;
  return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, toJson(member)]));
}

function fromJson(json: JsonValue): unknown {
  if (Array.isArray(json)) return json.map(fromJson);
  if (typeof json !== "object" || json === null) return json;
  if ("~type" in json) return decodeType(JSON.stringify(json["~type"]));
  return Object.fromEntries(Object.entries(json).map(([name, member]) => [name, fromJson(member)]));
}
