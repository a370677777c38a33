// SPDX-License-Identifier: Apache-2.0
import { isType } from "@tenon/cty";
import { decodeType, encodeType } from "@tenon/cty/json";
import type { FunctionSignature, IdentitySchema, Schema } from "@tenon/schema";
import type { JsonValue } from "../definition/call-context.ts";
import type { CompiledComponent } from "../schema/component.ts";

/** What is said of a component before its code is loaded: what the cores are told of it. */
export type ComponentSurface =
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

/** One component as data. */
export type ManifestEntry = { readonly [name: string]: JsonValue };

/** What there is to say of a component before its code is loaded, as data. */
export function manifestEntry(component: CompiledComponent): ManifestEntry {
  const { kind, name, typeName } = component;
  const surface: object =
    kind === "function"
      ? { signature: component.signature, needsClient: component.needsClient }
      : {
          protocol: component.protocol,
          ...(kind === "resource" && component.identity !== undefined ? { identity: { protocol: component.identity.protocol } } : {}),
        };
  return toJson({ kind, name, typeName, ...surface }) as ManifestEntry;
}

/** What {@link manifestEntry} wrote. */
export function surfaceOf(entry: ManifestEntry): ComponentSurface {
  return fromJson(entry) as ComponentSurface;
}

/** Types have a notation of their own; all else in a schema is plain data. */
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
