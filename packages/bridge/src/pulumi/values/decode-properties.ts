// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";
import { addSecretTexts } from "../../recording/secret-texts.ts";
import type { Json, JsonObject } from "../property/json.ts";
import type { ArchiveProperty, AssetProperty, PropertyMap, PropertyValue } from "../property/property-value.ts";
import { signatureKey, signatures, unknownKindOf } from "../property/signature.ts";

/**
 * Decodes the properties of a request. Absent properties are an empty map.
 *
 * @throws BridgeError `INVALID_PROPERTIES` with the path of a malformed value.
 * @see pulumi sdk/go/common/resource/plugin/rpc.go, UnmarshalProperties
 */
export function decodeProperties(properties: JsonObject | undefined): PropertyMap {
  return decodeObject(properties ?? {}, "");
}

function decodeValue(json: Json, path: string): PropertyValue {
  if (typeof json === "string") {
    const kind = unknownKindOf(json);
    return kind === undefined ? json : { kind: "unknown", of: kind };
  }
  if (json === null || typeof json !== "object") return json;
  if (Array.isArray(json)) return json.map((element, index) => decodeValue(element, `${path}[${index}]`));
  return Object.hasOwn(json, signatureKey) ? decodeSpecial(json, path) : decodeObject(json, path);
}

function decodeObject(json: JsonObject, path: string): PropertyMap {
  return new Map(Object.entries(json).map(([key, value]) => [key, decodeValue(value, path === "" ? key : `${path}.${key}`)]));
}

function decodeSpecial(json: JsonObject, path: string): PropertyValue {
  const field = (name: string): Json | undefined => (Object.hasOwn(json, name) ? json[name] : undefined);
  const text = (name: string): string | undefined => {
    const value = field(name);
    if (value === undefined || value === null || value === "") return undefined;
    if (typeof value !== "string") throw malformed(path, `${name} must be a string`);
    return value;
  };
  switch (field(signatureKey)) {
    case signatures.secret: {
      const value = field("value");
      if (value === undefined) throw malformed(path, "a secret needs a value");
      // What bridges store is no secret of the program: it repeats values whose own properties are secret.
      if (!path.startsWith("__")) addSecretTexts(value);
      return { kind: "secret", value: decodeValue(value, path) };
    }
    case signatures.output: {
      const value = field("value");
      const dependencies = field("dependencies") ?? [];
      if (!isTexts(dependencies)) throw malformed(path, "dependencies must be strings");
      const known = value === undefined ? {} : { value: decodeValue(value, path) };
      return { kind: "output", ...known, secret: field("secret") === true, dependencies };
    }
    case signatures.resource: {
      const id = field("id");
      if (id !== undefined && typeof id !== "string") throw malformed(path, "id must be a string");
      const isUnknown = id !== undefined && (id === "" || unknownKindOf(id) !== undefined);
      return {
        kind: "resource",
        urn: text("urn") ?? "",
        ...(id === undefined ? {} : { id: isUnknown ? { kind: "unknown", of: "string" } : id }),
        packageVersion: text("packageVersion") ?? "",
      };
    }
    case signatures.asset:
      return decodeAsset(text);
    case signatures.archive:
      return decodeArchive(text, field("assets"), path);
    case signatures.bytes: {
      const value = field("value");
      if (typeof value !== "string") throw malformed(path, "a byte string needs a value in base64");
      return { kind: "bytes", bytes: new Uint8Array(Buffer.from(value, "base64")) };
    }
    default:
      throw malformed(path, `unknown signature ${JSON.stringify(field(signatureKey))}`);
  }
}

function decodeAsset(text: (name: string) => string | undefined): AssetProperty {
  return { kind: "asset", ...presentTexts(["hash", "text", "path", "uri"], text) };
}

function decodeArchive(text: (name: string) => string | undefined, assets: Json | undefined, path: string): ArchiveProperty {
  const parts = presentTexts(["hash", "path", "uri"], text);
  if (assets === undefined || assets === null) return { kind: "archive", ...parts };
  if (typeof assets !== "object" || Array.isArray(assets)) throw malformed(path, "assets must be an object");
  return { kind: "archive", ...parts, assets: decodeObject(assets, path) };
}

function presentTexts<Name extends string>(
  names: readonly Name[],
  text: (name: string) => string | undefined,
): { readonly [Key in Name]?: string } {
  const present = names.flatMap((name) => {
    const value = text(name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(present) as { readonly [Key in Name]?: string };
}

function isTexts(json: Json): json is string[] {
  return Array.isArray(json) && json.every((element) => typeof element === "string");
}

function malformed(path: string, problem: string): BridgeError {
  return new BridgeError("INVALID_PROPERTIES", `the value of property ${path === "" ? "(root)" : path} is malformed: ${problem}`);
}
