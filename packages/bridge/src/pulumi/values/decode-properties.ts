// SPDX-License-Identifier: Apache-2.0
import { BridgeError } from "../../error.ts";
import type { Json, JsonObject } from "../property/json.ts";
import type { ArchiveProperty, PropertyMap, PropertyValue } from "../property/property-value.ts";
import { signatureKey, signatures, unknownKindOf } from "../property/signature.ts";

/**
 * Decodes the properties of a request. Absent properties are an empty map.
 *
 * @param onSecret - called with the value of each secret, before it is decoded. Secrets that bridges store are left out: they repeat values
 *   whose own properties are secret.
 * @throws BridgeError `INVALID_PROPERTIES` with the path of a malformed value.
 * @see pulumi sdk/go/common/resource/plugin/rpc.go, UnmarshalProperties
 */
export function decodeProperties(properties: JsonObject | undefined, onSecret?: (value: Json) => void): PropertyMap {
  return new Decoder(onSecret).object(properties ?? {});
}

class Decoder {
  readonly #onSecret: ((value: Json) => void) | undefined;
  /** Steps to the value that is being decoded. */
  readonly #path: (string | number)[] = [];

  constructor(onSecret: ((value: Json) => void) | undefined) {
    this.#onSecret = onSecret;
  }

  object(json: JsonObject): PropertyMap {
    const properties = new Map<string, PropertyValue>();
    for (const key of Object.keys(json)) {
      this.#path.push(key);
      properties.set(key, this.#value(json[key]!));
      this.#path.pop();
    }
    return properties;
  }

  #value(json: Json): PropertyValue {
    if (typeof json === "string") {
      const kind = unknownKindOf(json);
      return kind === undefined ? json : { kind: "unknown", of: kind };
    }
    if (json === null || typeof json !== "object") return json;
    if (Array.isArray(json)) return this.#array(json);
    return Object.hasOwn(json, signatureKey) ? this.#special(json) : this.object(json);
  }

  #array(json: readonly Json[]): readonly PropertyValue[] {
    return json.map((element, index) => {
      this.#path.push(index);
      const value = this.#value(element);
      this.#path.pop();
      return value;
    });
  }

  #special(json: JsonObject): PropertyValue {
    const field = (name: string): Json | undefined => (Object.hasOwn(json, name) ? json[name] : undefined);
    switch (field(signatureKey)) {
      case signatures.secret: {
        const value = field("value");
        if (value === undefined) throw this.#malformed("a secret needs a value");
        if (!String(this.#path[0]).startsWith("__")) this.#onSecret?.(value);
        return { kind: "secret", value: this.#value(value) };
      }
      case signatures.output: {
        const value = field("value");
        const dependencies = field("dependencies") ?? [];
        if (!isTexts(dependencies)) throw this.#malformed("dependencies must be strings");
        const secret = field("secret") === true;
        if (secret && value !== undefined) this.#onSecret?.(value);
        const known = value === undefined ? {} : { value: this.#value(value) };
        return { kind: "output", ...known, secret, dependencies };
      }
      case signatures.resource: {
        const id = field("id");
        if (id !== undefined && typeof id !== "string") throw this.#malformed("id must be a string");
        const isUnknown = id !== undefined && (id === "" || unknownKindOf(id) !== undefined);
        return {
          kind: "resource",
          urn: this.#text(json, "urn") ?? "",
          ...(id === undefined ? {} : { id: isUnknown ? { kind: "unknown", of: "string" } : id }),
          packageVersion: this.#text(json, "packageVersion") ?? "",
        };
      }
      case signatures.asset:
        return { kind: "asset", ...this.#texts(json, ["hash", "text", "path", "uri"]) };
      case signatures.archive:
        return this.#archive(json, field("assets"));
      case signatures.bytes: {
        const value = field("value");
        if (typeof value !== "string") throw this.#malformed("a byte string needs a value in base64");
        return { kind: "bytes", bytes: new Uint8Array(Buffer.from(value, "base64")) };
      }
      default:
        throw this.#malformed(`unknown signature ${JSON.stringify(field(signatureKey))}`);
    }
  }

  #archive(json: JsonObject, assets: Json | undefined): ArchiveProperty {
    const parts = this.#texts(json, ["hash", "path", "uri"]);
    if (assets === undefined || assets === null) return { kind: "archive", ...parts };
    if (typeof assets !== "object" || Array.isArray(assets)) throw this.#malformed("assets must be an object");
    return { kind: "archive", ...parts, assets: this.object(assets) };
  }

  /** The text of a field; undefined where it is absent or empty. */
  #text(json: JsonObject, name: string): string | undefined {
    const value = Object.hasOwn(json, name) ? json[name] : undefined;
    if (value === undefined || value === null || value === "") return undefined;
    if (typeof value !== "string") throw this.#malformed(`${name} must be a string`);
    return value;
  }

  #texts<Name extends string>(json: JsonObject, names: readonly Name[]): { readonly [Key in Name]?: string } {
    const present = names.map((name) => [name, this.#text(json, name)] as const).filter(([, value]) => value !== undefined);
    return Object.fromEntries(present) as { readonly [Key in Name]?: string };
  }

  #malformed(problem: string): BridgeError {
    const path = this.#path.reduce<string>(
      (text, step) => (typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`),
      "",
    );
    return new BridgeError("INVALID_PROPERTIES", `the value of property ${path === "" ? "(root)" : path} is malformed: ${problem}`);
  }
}

function isTexts(json: Json): json is string[] {
  return Array.isArray(json) && json.every((element) => typeof element === "string");
}
