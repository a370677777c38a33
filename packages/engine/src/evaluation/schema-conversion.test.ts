// SPDX-License-Identifier: Apache-2.0
import { bool, get, list, listOf, map, mark, marks, object, objectOf, of, set, string, unknown, type Type, type Value } from "@tenon/cty";
import { parseConfig } from "@tenon/hcl";
import { nativeBody } from "@tenon/hcl/body";
import { createAttribute, createBlock, createNestedBlock, impliedType } from "@tenon/schema";
import { describe, test } from "vitest";
import { convertToSchema } from "./schema-conversion.ts";

const items = list(object({ name: string, stamp: string }));
const attribute = (type: Type) => createAttribute({ type, optional: true });
const schema = createBlock({
  attributes: { items: attribute(items), name: attribute(string) },
  blocks: {
    rule: createNestedBlock("list", { attributes: { flags: attribute(map(bool)) } }),
    limits: createNestedBlock("single", { attributes: { items: attribute(items) } }),
  },
});
const body = nativeBody(
  parseConfig(
    'name = "x"\nitems = local.items\nrule {\n}\nrule {\n  flags = local.flags\n}\nlimits {\n  items = local.items\n}\n',
    "main.tf",
  ).body,
);

/** The value of the body with unknown collections of these types. */
function bodyValue(ofItems: Type, ofFlags: Type, ofLimits: Type): Value {
  const block = (parts: Readonly<Record<string, Value>>): Value => objectOf(new Map(Object.entries(parts)));
  const rule = block({ flags: unknown(ofFlags) });
  return block({
    items: unknown(ofItems),
    name: of(string, "x"),
    rule: listOf([rule, rule]),
    limits: block({ items: unknown(ofLimits) }),
  });
}

describe("the conversion of a body to its schema", () => {
  test("gives unknown collections the type of their attribute", ({ expect }) => {
    const wanted = bodyValue(items, map(bool), items);
    expect(convertToSchema(wanted, schema, body)).toEqual({ value: wanted, diagnostics: [] });
    const strings = set(map(string));
    const { value, diagnostics } = convertToSchema(bodyValue(strings, map(bool), strings), schema, body);
    expect(value.type).toBe(wanted.type);
    expect(diagnostics).toEqual([]);
  });

  test("reports each attribute whose elements cannot be converted, with its place", ({ expect }) => {
    const incomplete = set(object({ name: string }));
    const { value, diagnostics } = convertToSchema(bodyValue(incomplete, map(list(bool)), incomplete), schema, body);
    expect(value.type).toBe(impliedType(schema));
    const reported = diagnostics.map(({ detail, subject }) => [subject?.start.line, detail]);
    const reason = 'incorrect list element type: attribute "stamp" is required';
    expect(reported).toEqual([
      [2, `Inappropriate value for attribute "items": ${reason}.`],
      [9, `Inappropriate value for attribute "items": ${reason}.`],
      [3, 'Inappropriate value for attribute "flags": incorrect map element type: bool required, but have list of bool.'],
      [6, 'Inappropriate value for attribute "flags": incorrect map element type: bool required, but have list of bool.'],
    ]);
  });

  test("keeps the marks of all attributes", ({ expect }) => {
    const [secret, hidden] = ["secret", "hidden"];
    const given = bodyValue(set(object({ name: string })), map(bool), items);
    const parts = new Map([...impliedType(schema).names].map((name) => [name, get(given, name)]));
    parts.set("items", mark(parts.get("items")!, secret)).set("name", mark(parts.get("name")!, hidden));
    const { value } = convertToSchema(objectOf(parts), schema, body);
    expect(marks(get(value, "items"))).toEqual(new Set([secret]));
    expect(marks(get(value, "name"))).toEqual(new Set([hidden]));
  });
});
