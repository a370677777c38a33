// SPDX-License-Identifier: Apache-2.0
import { structMapOf } from "@tenon/protocol/carrier";
import { describe, test } from "vitest";
import type { JsonObject } from "../property/json.ts";
import type { PropertyMap } from "../property/property-value.ts";
import { signatureKey, signatures } from "../property/signature.ts";
import { decodeProperties } from "./decode-properties.ts";
import { encodeProperties } from "./encode-properties.ts";

function decoded(json: JsonObject): PropertyMap {
  return decodeProperties(structMapOf(json));
}

const every: JsonObject = {
  plain: [null, true, 1.5, "text", { "a.b": [], "": {} }],
  unknown: "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  unknownList: "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  secret: { [signatureKey]: signatures.secret, value: { inner: ["s"] } },
  output: { [signatureKey]: signatures.output, value: 1, secret: true, dependencies: ["urn:a"] },
  unknownOutput: { [signatureKey]: signatures.output },
  resource: { [signatureKey]: signatures.resource, urn: "urn:b", id: "i", packageVersion: "1.0.0" },
  newResource: { [signatureKey]: signatures.resource, urn: "urn:b", id: "" },
  component: { [signatureKey]: signatures.resource, urn: "urn:b" },
  asset: { [signatureKey]: signatures.asset, hash: "h", text: "t" },
  archive: { [signatureKey]: signatures.archive, assets: { a: { [signatureKey]: signatures.asset, path: "/p" } } },
  bytes: { [signatureKey]: signatures.bytes, value: "/w==" },
};

describe("properties", () => {
  test("of every kind are decoded and encoded without a change", ({ expect }) => {
    expect(encodeProperties(decoded(every), { bytes: true, outputs: true })).toEqual(every);
  });

  test("have kinds after decoding", ({ expect }) => {
    const properties = decoded(every);
    expect(properties.get("unknownList")).toEqual({ kind: "unknown", of: "array" });
    expect(properties.get("newResource")).toEqual({
      kind: "resource",
      urn: "urn:b",
      id: { kind: "unknown", of: "string" },
      packageVersion: "",
    });
    expect(properties.get("bytes")).toEqual({ kind: "bytes", bytes: new Uint8Array([255]) });
    expect(decodeProperties(undefined)).toEqual(new Map());
  });

  test("keep a key named __proto__", ({ expect }) => {
    const json = JSON.parse('{"a":{"__proto__":{"b":1}}}') as JsonObject;
    expect(JSON.stringify(encodeProperties(decoded(json)))).toBe('{"a":{"__proto__":{"b":1}}}');
  });

  test.for([
    [{ a: [{ [signatureKey]: "nonsense" }] }, "property a[0] is malformed: unknown signature"],
    [{ a: { [signatureKey]: signatures.secret } }, "a secret needs a value"],
    [{ a: { [signatureKey]: signatures.output, dependencies: [1] } }, "dependencies must be strings"],
    [{ a: { [signatureKey]: signatures.bytes } }, "needs a value in base64"],
    [{ a: { [signatureKey]: signatures.archive, assets: [] } }, "assets must be an object"],
    [{ a: { [signatureKey]: signatures.resource, id: 1 } }, "id must be a string"],
    [{ a: { [signatureKey]: signatures.asset, text: 1 } }, "text must be a string"],
  ] as const)("that are malformed are rejected: %j", ([json, problem], { expect }) => {
    expect(() => decoded(json as unknown as JsonObject)).toThrow(
      expect.objectContaining({ code: "INVALID_PROPERTIES", message: expect.stringContaining(problem) as string }),
    );
  });
});
