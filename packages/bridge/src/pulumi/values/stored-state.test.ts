// SPDX-License-Identifier: Apache-2.0
import { bool, dynamic, list, map, number, object, set, string, tuple } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { decode, encode } from "@tenon/cty/json";
import { structMapOf } from "@tenon/protocol/carrier";
import { createAttribute, createBlock, createNestedAttributes, createNestedBlock, impliedType } from "@tenon/schema";
import { describe, test } from "vitest";
import { mapBlock } from "../mapping/object-mapping.ts";
import type { Json, JsonObject } from "../property/json.ts";
import type { PropertyMap } from "../property/property-value.ts";
import { signatureKey, signatures } from "../property/signature.ts";
import { decodeProperties } from "./decode-properties.ts";
import { encodeProperties } from "./encode-properties.ts";
import { propertiesOf } from "./property-state.ts";
import { deltaProperty } from "./state-delta.ts";
import { parseRawJson, rawJsonText } from "./raw-json.ts";
import { restoreState, supplementState } from "./stored-state.ts";

function decoded(json: JsonObject): PropertyMap {
  return decodeProperties(structMapOf(json));
}

const secret = (value: Json): JsonObject => ({ [signatureKey]: signatures.secret, value });
const replaced = (raw: Json): JsonObject => secret({ replace: { raw } });

const optional = (type: Parameters<typeof createAttribute>[0]["type"] & object): ReturnType<typeof createAttribute> =>
  createAttribute({ type, optional: true });
const block = createBlock({
  attributes: {
    name: optional(string),
    aBc: optional(string),
    is_on: optional(bool),
    size: optional(number),
    tag: optional(list(string)),
    label: optional(set(string)),
    size_list: optional(list(number)),
    note: optional(map(string)),
    count_by: optional(map(number)),
    origin: optional(object({ host_name: string, port: number })),
    pair: optional(tuple(string, number)),
    any: optional(dynamic),
    password: createAttribute({ type: string, optional: true, sensitive: true }),
    member: createAttribute({
      optional: true,
      nested: createNestedAttributes("set", { key: optional(string), value_list: optional(list(string)) }),
    }),
  },
  blocks: {
    rule: createNestedBlock("list", createBlock({ attributes: { port: optional(number) } })),
    limit: createNestedBlock("list", createBlock({ attributes: { cpu: optional(number) } }), { maxItems: 1 }),
    timeouts: createNestedBlock("single", createBlock({ attributes: { create: optional(string) } })),
  },
});
const type = impliedType(block);
const mapping = mapBlock(block);
const empty = { ...Object.fromEntries(type.names.map((name) => [name, null])), rule: [], limit: [] };

/** Renamed properties, which every difference of this type has: plurals, and a name that is not the snake case of its property. */
const renamed = {
  aBc: "aBc",
  labels: "label",
  members: "member",
  rules: "rule",
  sizeLists: "size_list",
  tags: "tag",
};

function written(state: JsonObject): { readonly stored: JsonObject; readonly numbers: ReadonlyMap<string, string>; readonly text: string } {
  const value = decode(JSON.stringify({ ...empty, ...state }), type);
  const outputs = propertiesOf(mapping, value);
  const { delta, exactNumbers } = supplementState(mapping, type, value, outputs);
  const stored = encodeProperties(new Map([...outputs, [deltaProperty, delta ?? null]]));
  return { stored, numbers: exactNumbers, text: encode(value, type, { convert }) };
}

/** What the Go bridge writes for the state, apart from what every state has. Each case has the reason. */
const cases: readonly (readonly [reason: string, state: JsonObject, deltas: JsonObject])[] = [
  ["nulls and primitive values are the same on both sides", { name: "x", size: 0.1, is_on: false, note: null }, {}],
  [
    "an array is marked as one, and its elements have differences",
    { tag: ["a"], size_list: [1, null] },
    { tags: { arr: {} }, sizeLists: { arr: {} } },
  ],
  ["a set is an array in the order of the state", { label: ["b", "a"] }, { labels: { arr: {} } }],
  ["a map is distinguished from an object", { note: { "a.b": "1" }, count_by: {} }, { note: { map: {} }, countBy: { map: {} } }],
  ["an object names its attributes", { origin: { host_name: "h", port: 1 } }, { origin: { obj: {} } }],
  ["a secret has the difference of its value", { password: "p" }, {}],
  ["an absent element of at most one is an empty array", { limit: [] }, { limit: { plu: { i: {} } } }],
  ["an element of at most one is the only one of an array", { limit: [{ cpu: 2 }] }, { limit: { plu: { i: { obj: {} } } } }],
  [
    "elements have their own differences",
    { rule: [{ port: 1 }, { port: null }] },
    { rules: { arr: { el: { "0": { obj: {} }, "1": { obj: {} } } } } },
  ],
  [
    "elements of nested attributes name their attributes",
    { member: [{ key: "k", value_list: ["v"] }] },
    { members: { arr: { el: { "0": { obj: { renamed: { valueLists: "value_list" }, ps: { valueLists: { arr: {} } } } } } } } },
  ],
  [
    "a dynamic value stores its type",
    { any: { value: ["a"], type: ["list", "string"] } },
    { any: replaced({ value: ["a"], type: ["list", "string"] }) },
  ],
];

describe("the difference of outputs and state", () => {
  test.for(cases)("is that of the Go bridge: %s", ([, state, deltas], { expect }) => {
    const { stored, text, numbers } = written(state);
    const ofEvery: JsonObject = { rules: { arr: {} }, limit: { plu: { i: {} } } };
    expect(stored[deltaProperty]).toEqual({ obj: { renamed, ps: { ...ofEvery, ...deltas } } });
    expect(numbers).toEqual(new Map());
    expect(restoreState(decoded(stored), numbers)).toBe(rawJsonText(parseRawJson(text)));
  });

  test("restores states of the Go bridge, which leaves out nulls", ({ expect }) => {
    const outputs = decoded({
      name: "x",
      password: "p",
      serverId: "i",
      __meta: "{}",
      __defaults: [],
      [deltaProperty]: {
        obj: { ignored: ["serverId"], ps: { size: { replace: { raw: null } }, limit: { replace: { raw: [] } }, note: { plu: { i: {} } } } },
      },
    });
    expect(restoreState(outputs, new Map())).toBe('{"limit":[],"name":"x","note":[],"password":"p","size":null}');
    const asText = decoded({ size: "12345678901234567890.123", [deltaProperty]: { obj: { ps: { size: { num: {} } } } } });
    expect(restoreState(asText, new Map())).toBe('{"size":12345678901234567890.123}');
    expect(restoreState(decoded({ name: "x" }), new Map())).toBeUndefined();
  });

  test("restores numbers that a double rounds, unless the outputs were changed", ({ expect }) => {
    const state =
      '{"size":123456789012345678901,"size_list":[0.1,1e30,0.30000000000000000001],"any":{"value":9007199254740993,"type":"number"}}';
    const value = decode(JSON.stringify({ ...empty, size: 0, size_list: null }).replace(/}$/, `,${state.slice(1)}`), type);
    const outputs = propertiesOf(mapping, value);
    const { delta, exactNumbers } = supplementState(mapping, type, value, outputs);
    expect([...exactNumbers]).toEqual([
      ["/any/value", "9007199254740993"],
      ["/size", "123456789012345678901"],
      ["/size_list/2", "0.30000000000000000001"],
    ]);
    const stored = new Map([...outputs, [deltaProperty, delta!]]);
    expect(restoreState(stored, exactNumbers)).toBe(rawJsonText(parseRawJson(encode(value, type, { convert }))));
    // The value of a property without a difference of its own follows a manual change of the state.
    expect(restoreState(new Map([...stored, ["name", "changed"]]), exactNumbers)).toContain('"name":"changed"');
  });

  test.for([
    [{ name: {}, [deltaProperty]: { obj: {} } }, "no difference for an object"],
    [
      { tags: ["a"], [deltaProperty]: { obj: { ps: { tags: { arr: { el: { "1": { num: {} } } } } } } } },
      "an element of an array is missing",
    ],
    [{ tags: "a", [deltaProperty]: { obj: { ps: { tags: { arr: {} } } } } }, "an array is expected"],
    [{ note: "a", [deltaProperty]: { obj: { ps: { note: { map: {} } } } } }, "an object is expected"],
    [{ size: "a", [deltaProperty]: { obj: { ps: { size: { num: {} } } } } }, "a number as text is expected"],
    [{ name: "a", [deltaProperty]: { obj: { ps: { name: { asset: { kind: 0 } } } } } }, "assets cannot be converted"],
    [{ [deltaProperty]: { nonsense: {} } }, "is malformed"],
    [{ [deltaProperty]: { obj: {}, map: {} } }, "is malformed"],
    [{ [deltaProperty]: "text" }, "is malformed"],
  ] as const)("that does not fit is rejected: %j", ([json, problem], { expect }) => {
    expect(() => restoreState(decoded(json as unknown as JsonObject), new Map())).toThrow(
      expect.objectContaining({ code: "INVALID_STATE", message: expect.stringContaining(problem) as string }),
    );
  });
});
