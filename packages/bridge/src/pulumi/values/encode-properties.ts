// SPDX-License-Identifier: Apache-2.0
import type { Json, JsonObject } from "../property/json.ts";
import {
  isPropertyArray,
  isPropertyMap,
  type OutputProperty,
  type PropertyMap,
  type PropertyValue,
  secretProperty,
  type SpecialProperty,
  unknownProperty,
} from "../property/property-value.ts";
import { signatureKey, signatures, unknownTexts } from "../property/signature.ts";

/** The kinds of values that the engine accepts in responses. */
export interface AcceptedKinds {
  /** Whether strings that are not valid UTF-8 may be sent. */
  readonly bytes: boolean;
  /** Whether outputs with their dependencies may be sent. */
  readonly outputs?: boolean;
}

/** Encodes properties for a response. */
export function encodeProperties(properties: PropertyMap, accepted: AcceptedKinds = { bytes: false }): JsonObject {
  const json: JsonObject = {};
  for (const [name, value] of properties) setOwn(json, name, encodeValue(value, accepted));
  return json;
}

function encodeValue(value: PropertyValue, accepted: AcceptedKinds): Json {
  if (value === null || typeof value !== "object") return value;
  if (isPropertyArray(value)) return value.map((element) => encodeValue(element, accepted));
  return isPropertyMap(value) ? encodeProperties(value, accepted) : encodeSpecial(value, accepted);
}

function encodeSpecial(value: SpecialProperty, accepted: AcceptedKinds): Json {
  switch (value.kind) {
    case "unknown":
      return unknownTexts[value.of];
    case "secret":
      return { [signatureKey]: signatures.secret, value: encodeValue(value.value, accepted) };
    case "output":
      if (!accepted.outputs) return encodeValue(withoutDependencies(value), accepted);
      return {
        [signatureKey]: signatures.output,
        ...(value.value === undefined ? {} : { value: encodeValue(value.value, accepted) }),
        ...(value.secret ? { secret: true } : {}),
        ...(value.dependencies.length > 0 ? { dependencies: [...value.dependencies] } : {}),
      };
    case "resource":
      return {
        [signatureKey]: signatures.resource,
        urn: value.urn,
        ...(value.id === undefined ? {} : { id: typeof value.id === "string" ? value.id : "" }),
        ...(value.packageVersion === "" ? {} : { packageVersion: value.packageVersion }),
      };
    case "asset":
    case "archive": {
      const { kind, ...fields } = value;
      const texts = { ...fields, assets: undefined } as const;
      const assets = "assets" in value && value.assets ? { assets: encodeProperties(value.assets, accepted) } : {};
      return { [signatureKey]: signatures[kind], ...definedTexts(texts), ...assets };
    }
    default:
      return accepted.bytes
        ? { [signatureKey]: signatures.bytes, value: Buffer.from(value.bytes).toString("base64") }
        : Buffer.from(value.bytes).toString("utf8");
  }
}

/** The value of an output for an engine that does not accept outputs. */
function withoutDependencies({ value, secret }: OutputProperty): PropertyValue {
  if (value === undefined) return unknownProperty();
  return secret ? secretProperty(value) : value;
}

function definedTexts(fields: Readonly<Record<string, string | undefined>>): JsonObject {
  const json: JsonObject = {};
  for (const [name, text] of Object.entries(fields)) if (text !== undefined) json[name] = text;
  return json;
}

/** Sets an own property, also for the key `__proto__`. */
function setOwn(json: JsonObject, name: string, value: Json): void {
  if (name === "__proto__") Object.defineProperty(json, name, { value, enumerable: true, configurable: true, writable: true });
  else json[name] = value;
}
