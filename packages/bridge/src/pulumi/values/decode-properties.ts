// SPDX-License-Identifier: Apache-2.0
import type { StructMap, StructMapValue } from "@tenon/protocol/carrier";
import { BridgeError } from "../../error.ts";
import type { ArchiveProperty, PropertyMap, PropertyValue } from "../property/property-value.ts";
import { signatureKey, signatures, unknownKindOf } from "../property/signature.ts";

/**
 * Decodes the properties of a request. Absent properties are an empty map.
 *
 * @param struct - The encoded properties, which are decoded in place.
 * @throws BridgeError `INVALID_PROPERTIES` with the path of a malformed value.
 * @see pulumi sdk/go/common/resource/plugin/rpc.go, UnmarshalProperties
 */
export function decodeProperties(struct: StructMap | undefined): PropertyMap {
  return struct === undefined ? new Map() : new Decoder().object(struct);
}

class Decoder {
  /** Steps to the value that is being decoded. */
  readonly #path: (string | number)[] = [];

  object(struct: StructMap): PropertyMap {
    const properties = struct as Map<string, PropertyValue>;
    // Unlike an iteration, it creates no array for each property.
    struct.forEach((encoded, key) => {
      if (isPlain(encoded)) return;
      this.#path.push(key);
      const value = this.#value(encoded);
      if (value !== encoded) properties.set(key, value);
      this.#path.pop();
    });
    return properties;
  }

  #value(encoded: StructMapValue): PropertyValue {
    if (typeof encoded === "string") {
      const kind = unknownKindOf(encoded);
      return kind === undefined ? encoded : { kind: "unknown", of: kind };
    }
    if (encoded === null || typeof encoded !== "object") return encoded;
    if (Array.isArray(encoded)) return this.#array(encoded);
    return encoded.has(signatureKey) ? this.#special(encoded) : this.object(encoded);
  }

  #array(encoded: StructMapValue[]): readonly PropertyValue[] {
    const elements = encoded as PropertyValue[];
    for (let index = 0; index < encoded.length; index += 1) {
      const element = encoded[index]!;
      if (isPlain(element)) continue;
      this.#path.push(index);
      elements[index] = this.#value(element);
      this.#path.pop();
    }
    return elements;
  }

  #special(struct: StructMap): PropertyValue {
    switch (struct.get(signatureKey)) {
      case signatures.secret: {
        const value = struct.get("value");
        if (value === undefined) throw this.#malformed("a secret needs a value");
        return { kind: "secret", value: this.#value(value) };
      }
      case signatures.output: {
        const value = struct.get("value");
        const dependencies = struct.get("dependencies") ?? [];
        if (!isTexts(dependencies)) throw this.#malformed("dependencies must be strings");
        const resolved = value === undefined ? {} : { value: this.#value(value) };
        return { kind: "output", ...resolved, secret: struct.get("secret") === true, dependencies };
      }
      case signatures.resource: {
        const id = struct.get("id");
        if (id !== undefined && typeof id !== "string") throw this.#malformed("id must be a string");
        const isUnknown = id !== undefined && (id === "" || unknownKindOf(id) !== undefined);
        return {
          kind: "resource",
          urn: this.#text(struct, "urn") ?? "",
          ...(id === undefined ? {} : { id: isUnknown ? { kind: "unknown", of: "string" } : id }),
          packageVersion: this.#text(struct, "packageVersion") ?? "",
        };
      }
      case signatures.asset:
        return { kind: "asset", ...this.#texts(struct, ["hash", "text", "path", "uri"]) };
      case signatures.archive:
        return this.#archive(struct, struct.get("assets"));
      case signatures.bytes: {
        const value = struct.get("value");
        if (typeof value !== "string") throw this.#malformed("a byte string needs a value in base64");
        return { kind: "bytes", bytes: new Uint8Array(Buffer.from(value, "base64")) };
      }
      default:
        throw this.#malformed(`unknown signature ${signatureText(struct.get(signatureKey))}`);
    }
  }

  #archive(struct: StructMap, assets: StructMapValue | undefined): ArchiveProperty {
    const parts = this.#texts(struct, ["hash", "path", "uri"]);
    if (assets === undefined || assets === null) return { kind: "archive", ...parts };
    if (!(assets instanceof Map)) throw this.#malformed("assets must be an object");
    return { kind: "archive", ...parts, assets: this.object(assets) };
  }

  /** The text of a field; undefined where it is absent or empty. */
  #text(struct: StructMap, name: string): string | undefined {
    const value = struct.get(name);
    if (value === undefined || value === null || value === "") return undefined;
    if (typeof value !== "string") throw this.#malformed(`${name} must be a string`);
    return value;
  }

  #texts<Name extends string>(struct: StructMap, names: readonly Name[]): { readonly [Key in Name]?: string } {
    const present = names.map((name) => [name, this.#text(struct, name)] as const).filter(([, value]) => value !== undefined);
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

/** Whether an encoded value is the property itself: special values are objects, or texts of 36 characters. */
function isPlain(encoded: StructMapValue): encoded is null | boolean | number | string {
  return typeof encoded === "string" ? encoded.length !== 36 : encoded === null || typeof encoded !== "object";
}

function isTexts(value: StructMapValue): value is string[] {
  return Array.isArray(value) && value.every((element) => typeof element === "string");
}

/** Text of a signature that is unknown, for an error. */
function signatureText(signature: StructMapValue | undefined): string {
  return typeof signature === "string" ? JSON.stringify(signature) : `of type ${typeof signature}`;
}
