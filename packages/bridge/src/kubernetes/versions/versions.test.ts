// SPDX-License-Identifier: Apache-2.0
import { describe, test } from "vitest";
import type { StructuralSchema } from "../crd/structural-schema.ts";
import type { FieldMoves } from "../mapping/resource-rules.ts";
import { convertedParameters } from "./converted-json.ts";
import { nextVersion } from "./definition-upgrade.ts";
import { schemaProbe } from "./schema-probe.ts";
import { incompatibleChanges } from "./schema-compatibility.ts";
import type { JsonObject } from "../values/json-value.ts";

const string: StructuralSchema = { type: "string" };
const number: StructuralSchema = { type: "number" };
const boolean: StructuralSchema = { type: "boolean" };
const anything: StructuralSchema = { "x-kubernetes-preserve-unknown-fields": true };
const list = (items: StructuralSchema, rest: StructuralSchema = {}): StructuralSchema => ({ type: "array", items, ...rest });
const object = (properties: Record<string, StructuralSchema>, required: readonly string[] = []): StructuralSchema => ({
  type: "object",
  properties,
  ...(required.length > 0 ? { required } : {}),
});
const map = (additionalProperties: StructuralSchema): StructuralSchema => ({ type: "object", additionalProperties });

describe("incompatibleChanges", () => {
  test.for([
    [object({ a: string }), object({ a: string, b: string })],
    [object({ a: string }, ["a"]), object({ a: string })],
    [object({ a: string }), object({ a: anything })],
    [list(string, { "x-kubernetes-list-type": "set" }), list(string)],
    [list(string, { maxItems: 1 }), list({ ...string, nullable: true })],
    [
      { ...string, description: "old" },
      { ...string, description: "new" },
    ],
    [object({ a: string }), map(string)],
    [object({ a: string }), { type: "object", "x-kubernetes-preserve-unknown-fields": true }],
    [string, { ...string, "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "immutable" }] }],
  ] as const)("finds none from %j to %j", ([earlier, later], { expect }) => {
    expect(incompatibleChanges(earlier, later)).toEqual([]);
  });

  test.for([
    [object({ a: string }), object({}), "a", "is removed"],
    [object({ a: string }), object({ a: number }), "a", "was a string, and is a number now"],
    [object({ a: map(string) }), object({ a: object({}) }), "a[*]", "can no longer have any name"],
    [object({ a: list(string) }), object({ a: list(boolean) }), "a[*]", "was a string, and is a boolean now"],
    [object({ a: object({ b: string }) }), object({ a: object({ b: string }, ["b"]) }), "a.b", "is required now"],
    [object({ a: anything }), object({ a: string }), "a", "had no schema, and has one now"],
    [object({ a: list(string) }), object({ a: list(string, { maxItems: 1 }) }), "a", "can have at most 1 elements"],
    [object({ a: list(string) }), object({ a: list(string, { minItems: 1 }) }), "a", "needs at least 1 elements"],
    [
      object({ a: list(string) }),
      object({ a: list(string, { "x-kubernetes-list-type": "set" }) }),
      "a",
      "can no longer have equal elements",
    ],
    [object({ a: map({ ...string, nullable: true }) }), object({ a: map(string) }), "a[*]", "can no longer be null"],
    [
      object({ a: object({}) }),
      object({ a: { ...object({}), "x-kubernetes-validations": [{ rule: "has(self.b)", message: "b is required" }] } }),
      "a",
      "has a new rule: b is required",
    ],
  ] as const)("reports from %j to %j: %s %s", ([earlier, later, path, reason], { expect }) => {
    expect(incompatibleChanges(earlier, later)).toEqual([{ path, reason }]);
  });
});

describe("convertedParameters", () => {
  test.for([
    [object({ a: number }), { a: "7" }, { a: 7 }],
    [object({ a: string }), { a: 7.5 }, { a: "7.5" }],
    [object({ a: boolean }), { a: "true" }, { a: true }],
    [object({ a: string }), { a: false }, { a: "false" }],
    [object({ a: list(object({ b: number })) }), { a: { b: "1" } }, { a: [{ b: 1 }] }],
    [object({ a: object({ b: string }) }), { a: [{ b: 1 }] }, { a: { b: "1" } }],
    [object({ a: map(string) }), { a: { x: 1 } }, { a: { x: "1" } }],
    [object({ a: list(string, { "x-kubernetes-list-type": "set" }) }), { a: ["x", "y", "x"] }, { a: ["x", "y"] }],
    [object({ a: anything, b: string }), { a: [{ c: null }], b: null }, { a: [{ c: null }], b: null }],
  ] as const)("converts to %j: %j", ([schema, json, expected], { expect }) => {
    expect(convertedParameters(schema, json, ["spec", "forProvider"])).toEqual({ json: expected, problems: [] });
  });

  test.for([
    [object({ a: number }), { a: "007" }, "spec.forProvider.a", "cannot be converted to a number"],
    [object({ a: number }), { a: "NaN" }, "spec.forProvider.a", "cannot be converted to a number"],
    [object({ a: number }), { a: "-Infinity" }, "spec.forProvider.a", "cannot be converted to a number"],
    [object({ a: boolean }), { a: "yes" }, "spec.forProvider.a", "cannot be converted to a boolean"],
    [object({ a: string }), { a: ["x", "y"] }, "spec.forProvider.a", "cannot be converted to a string"],
    [object({ a: list(number) }), { a: ["1", "x"] }, "spec.forProvider.a[1]", "cannot be converted to a number"],
    [object({ a: list(string, { maxItems: 1 }) }), { a: ["x", "y"] }, "spec.forProvider.a", "can have at most 1 elements"],
    [object({ a: object({ b: string }, ["b"]) }), { a: {} }, "spec.forProvider.a.b", "is required, and the object does not set it"],
    [object({}), { a: "x" }, "spec.forProvider.a", "is removed, and the object sets it"],
  ] as const)("cannot convert to %j: %j", ([schema, json, path, reason], { expect }) => {
    expect(convertedParameters(schema, json, ["spec", "forProvider"]).problems).toEqual([{ path, reason }]);
  });

  test("keeps every digit of an integer that is converted to a string", ({ expect }) => {
    const { json } = convertedParameters(object({ a: string }), { a: 9007199254740993n }, []);
    expect(json).toEqual({ a: "9007199254740993" });
  });

  test("renames and removes fields in every element of lists", ({ expect }) => {
    const schema = object({ rules: list(object({ range: string })), zone: string });
    const json: JsonObject = { rules: [{ ports: "1" }, {}], region: "here", old: { any: 1 } };
    const moves: FieldMoves = { renamed: { "rules.ports": "rules.range", region: "zone" }, removed: ["old"] };
    expect(convertedParameters(schema, json, [], moves)).toEqual({ json: { rules: [{ range: "1" }, {}], zone: "here" }, problems: [] });
    expect(convertedParameters(schema, { region: "a", zone: "b" }, [], moves).problems).toEqual([
      { path: "zone", reason: "is set, and region would replace it" },
      { path: "region", reason: "is removed, and the object sets it" },
    ]);
  });
});

test("schemaProbe has a field that only the later schema has", ({ expect }) => {
  const earlier = object({ spec: object({ a: map(string), b: list(object({ c: string })) }) });
  const later = object({ spec: object({ a: map(string), b: list(object({ c: string, d: string })) }) });
  expect(schemaProbe(earlier, later)).toEqual({ parts: { spec: { b: [{ d: "probe" }] } }, field: "spec.b[0].d" });
  expect(schemaProbe(later, earlier)).toBe(undefined);
});

test("nextVersion increments the number", ({ expect }) => {
  expect(["v1alpha1", "v1beta9", "v2"].map(nextVersion)).toEqual(["v1alpha2", "v1beta10", "v3"]);
});
