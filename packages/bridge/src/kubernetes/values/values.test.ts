// SPDX-License-Identifier: Apache-2.0
import { dynamic, goString, list, map, number, objectOf, of, string, toJs, type Value } from "@tenon/cty";
import { convert } from "@tenon/cty/convert";
import { createAttribute, createNestedAttributes, createNestedBlock, createSchema, impliedType } from "@tenon/schema";
import { describe, test } from "vitest";
import { mapKinds } from "../mapping/map-kinds.ts";
import type { KindMapping } from "../mapping/mapping.ts";
import type { ResourceRules } from "../mapping/resource-rules.ts";
import { connectionDetails } from "./connection-details.ts";
import { externalNameOf, importIdOf } from "./external-name.ts";
import { jsonText, parseExactJson, parseJson, type JsonObject } from "./json-value.ts";
import { lateInitialization } from "./late-initialization.ts";
import { observationOf, parametersOf } from "./observation.ts";
import { configurationOf, type ParameterSource } from "./parameters.ts";
import { secretKeyReferences } from "./secret-reference.ts";

const optional = { optional: true } as const;
const chosen = { optional: true, computed: true } as const;
const schema = createSchema({
  attributes: {
    id: createAttribute({ type: string, computed: true }),
    name: createAttribute({ type: string, required: true }),
    size: createAttribute({ type: number, ...chosen }),
    tags: createAttribute({ type: map(string), ...chosen }),
    password: createAttribute({ type: string, ...optional, sensitive: true }),
    pins: createAttribute({ type: list(number), ...optional, sensitive: true }),
    key: createAttribute({ type: string, computed: true, sensitive: true }),
    net: createAttribute({
      nested: createNestedAttributes("single", {
        zone: createAttribute({ type: string, ...chosen }),
        address: createAttribute({ type: string, computed: true }),
      }),
      ...optional,
    }),
  },
  blocks: {
    disk: createNestedBlock("list", {
      attributes: {
        size: createAttribute({ type: number, ...chosen }),
        code: createAttribute({ type: string, ...optional, sensitive: true }),
      },
    }),
  },
});
const blockType = impliedType(schema.block);

function kindOf(rules: ResourceRules = {}): KindMapping {
  return mapKinds({ schemas: { resources: new Map([["x_host", schema]]) } }, { group: "x.example.org", rules: { x_host: rules } })[0]!;
}

function stateOf(parts: Readonly<Record<string, unknown>>): Value {
  const empty = { id: null, name: null, size: null, tags: null, password: null, pins: null, key: null, net: null, disk: [] };
  return of(blockType, { ...empty, ...parts } as never);
}

const secrets: Readonly<Record<string, string>> = {
  "s/password": "hush",
  "s/pins": "[1, 3.00000000000000000001]",
  "s/bad": '[{"hush": 1}]',
};
const secret: ParameterSource["secret"] = ({ name, key }) => secrets[`${name}/${key}`];

function configuration(forProvider: JsonObject, rest: Partial<ParameterSource> = {}, rules: ResourceRules = {}) {
  return configurationOf(kindOf(rules), { forProvider, secret, ...rest });
}

describe("configurationOf", () => {
  test("converts fields, blocks and secrets, and makes unset fields null", ({ expect }) => {
    const { value, problems } = configuration({
      name: "a",
      size: 9007199254740993n,
      passwordSecretRef: { name: "s", key: "password" },
      pinsSecretRef: { name: "s", key: "pins" },
      disk: [{ size: 1.5 }],
    });
    expect(problems).toEqual([]);
    expect(value.type).toBe(blockType);
    const expected = stateOf({ name: "a", size: 9007199254740993n, password: "hush", disk: [{ size: 1.5, code: null }] });
    const exact = of(list(number), [of(number, 1), convert(of(string, "3.00000000000000000001"), number)] as never);
    expect(goString(value)).toBe(goString(stateOf({ ...(toJs(expected) as object), pins: exact } as never)));
  });

  test("uses initial parameters until the resource exists, then values of its state", ({ expect }) => {
    const spec = { initProvider: { size: 3, tags: { a: "b" }, net: { zone: "z" } } };
    const before = configuration({ name: "a", net: {}, tags: { c: "d" } }, spec).value;
    expect(goString(before)).toBe(goString(stateOf({ name: "a", size: 3, tags: { c: "d" }, net: { zone: "z", address: null } })));
    const state = stateOf({ id: "7", name: "a", size: 5, net: { zone: "moved", address: "1.2.3.4" } });
    const after = configuration({ name: "a", net: {}, tags: { c: "d" } }, { ...spec, state }).value;
    expect(goString(after)).toBe(goString(stateOf({ name: "a", size: 5, tags: { c: "d" }, net: { zone: "moved", address: null } })));
  });

  test("sets the argument from the external name", ({ expect }) => {
    const rules = { externalName: { attribute: "name", isArgument: true } } as const;
    expect(goString(configuration({}, { externalName: "outside" }, rules).value)).toBe(goString(stateOf({ name: "outside" })));
  });

  test.for([
    [{ name: 7 }, "spec.forProvider.name", "must be a string, but is a number"],
    [{ tags: { "a.b": false } }, "spec.forProvider.tags[a.b]", "must be a string, but is a boolean"],
    [{ disk: [{}, { size: "1" }] }, "spec.forProvider.disk[1].size", "must be a number, but is a string"],
    [{ id: "7" }, "spec.forProvider.id", "can be set only by the provider"],
    [{ net: { address: "x" } }, "spec.forProvider.net.address", "can be set only by the provider"],
    [{ other: 1 }, "spec.forProvider.other", "is not a field of the type"],
    [
      { passwordSecretRef: "hush" },
      "spec.forProvider.passwordSecretRef",
      "must be a reference to a key of a Secret, with `name` and `key`",
    ],
    [{ passwordSecretRef: { name: "s", key: "x" } }, "spec.forProvider.passwordSecretRef", "the Secret s or its key x does not exist"],
    [
      { pinsSecretRef: { name: "s", key: "password" } },
      "spec.forProvider.pinsSecretRef",
      "the key password of the Secret s must contain JSON",
    ],
    [
      { pinsSecretRef: { name: "s", key: "bad" } },
      "spec.forProvider.pinsSecretRef",
      "has an invalid value in the key bad of the Secret s: it must be a number, but is an object",
    ],
  ] as const)("reports the path of an invalid value: %j", ([forProvider, path, reason], { expect }) => {
    const { problems } = configuration(forProvider as never);
    expect(problems).toEqual([{ path, reason }]);
    expect(JSON.stringify(problems)).not.toContain("hush");
  });
});

describe("observationOf", () => {
  test("leaves out secrets, null attributes and empty blocks", ({ expect }) => {
    const state = stateOf({
      id: "7",
      size: 2n ** 63n - 1n,
      key: "hush",
      password: "hush",
      net: { zone: null, address: "a" },
      disk: [{ size: 1, code: "hush" }],
    });
    expect(observationOf(kindOf(), state)).toEqual({
      atProvider: { id: "7", size: 2n ** 63n - 1n, net: { address: "a" }, disk: [{ size: 1 }] },
      inexact: [],
    });
  });

  test("reports the paths of numbers that the API server cannot store exactly", ({ expect }) => {
    const { atProvider, inexact } = observationOf(kindOf(), stateOf({ size: 2n ** 64n + 1n, disk: [{ size: 0.1, code: null }] }));
    expect(atProvider).toEqual({ size: 18446744073709552000, disk: [{ size: 0.1 }] });
    expect(inexact).toEqual(["status.atProvider.size"]);
  });
});

test("parametersOf is the inverse of configurationOf", ({ expect }) => {
  const stored: Record<string, string> = {};
  const value = stateOf({ name: "a", password: "p", pins: [1, 2], tags: { x: "y" }, disk: [{ size: 1, code: "c" }] });
  const { forProvider } = parametersOf(kindOf(), value, (path, text) => {
    stored[path] = text;
    return { name: "s", key: path };
  });
  expect(stored).toEqual({
    "spec.forProvider.disk[0].codeSecretRef": "c",
    "spec.forProvider.passwordSecretRef": "p",
    "spec.forProvider.pinsSecretRef": "[1,2]",
  });
  expect(
    secretKeyReferences(kindOf(), forProvider)
      .map(({ key }) => key)
      .toSorted(),
  ).toEqual(Object.keys(stored).toSorted());
  const read = configurationOf(kindOf(), { forProvider, secret: ({ key }) => stored[key] });
  expect(goString(read.value)).toBe(goString(value));
});

test("a secret of a dynamic type is read as the type that it was written with", ({ expect }) => {
  const block = createSchema({ attributes: { any: createAttribute({ type: dynamic, ...optional, sensitive: true }) } });
  const [kind] = mapKinds({ schemas: { resources: new Map([["x_host", block]]) } }, { group: "x.example.org" });
  const cases = [
    [of(string, "7"), '"7"'],
    [of(number, 7), "7"],
    [of(string, "null"), '"null"'],
    [of(string, "a b"), '"a b"'],
  ] as const;
  for (const [any, text] of cases) {
    const value = convert(objectOf(new Map([["any", any]])), impliedType(block.block));
    let stored = "";
    const { forProvider } = parametersOf(kind!, value, (_, written) => {
      stored = written;
      return { name: "s", key: "k" };
    });
    expect(stored).toBe(text);
    expect(goString(configurationOf(kind!, { forProvider, secret: () => stored }).value)).toBe(goString(value));
  }
});

describe("lateInitialization", () => {
  const state = stateOf({
    id: "7",
    name: "a",
    size: 5,
    tags: { a: "b" },
    net: { zone: "z", address: "1" },
    disk: [{ size: 1, code: null }],
    key: "k",
  });

  test("adds values that the provider has chosen, also in nested objects", ({ expect }) => {
    expect(lateInitialization(kindOf(), { forProvider: { name: "a", net: {} } }, state)).toEqual({
      size: 5,
      tags: { a: "b" },
      net: { zone: "z" },
    });
    expect(lateInitialization(kindOf(), { forProvider: { name: "a", size: 5 }, initProvider: { tags: {} } }, state)).toBe(undefined);
  });

  test("leaves out fields of the rule, and numbers that the API server cannot store exactly", ({ expect }) => {
    const rules = { skipLateInitialization: ["tags", "net.zone"] };
    const large = stateOf({ name: "a", size: 2n ** 64n + 1n, tags: { a: "b" }, net: { zone: "z", address: null } });
    expect(lateInitialization(kindOf(rules), { forProvider: { name: "a", net: {} } }, large)).toBe(undefined);
  });
});

test("connectionDetails has the sensitive values by path", ({ expect }) => {
  const state = stateOf({
    key: "k",
    pins: [1, 2],
    password: "",
    disk: [
      { size: 1, code: "c" },
      { size: 2, code: null },
    ],
  });
  expect(Object.fromEntries(connectionDetails(kindOf(), state))).toEqual({
    "attribute.disk.0.code": "c",
    "attribute.key": "k",
    "attribute.password": "",
    "attribute.pins": "[1,2]",
  });
});

describe("externalNameOf and importIdOf", () => {
  test("externalNameOf reads an attribute of the state", ({ expect }) => {
    expect(externalNameOf(kindOf(), stateOf({ id: "7" }))).toBe("7");
    expect(externalNameOf(kindOf({ externalName: { attribute: "size" } }), stateOf({ size: 5 }))).toBe("5");
    expect(externalNameOf(kindOf(), stateOf({}))).toBe(undefined);
  });

  test("importIdOf fills in the template of the rule", ({ expect }) => {
    const kind = kindOf({ externalName: { importId: "{name}/{external_name}" } });
    expect(importIdOf(kind, "7", stateOf({ name: "a" }))).toBe("a/7");
    expect(importIdOf(kindOf(), "7", stateOf({}))).toBe("7");
    expect(() => importIdOf(kind, "7", stateOf({}))).toThrow(expect.objectContaining({ code: "INVALID_OBJECT" }));
  });
});

describe("parseJson and parseExactJson", () => {
  test("parseJson keeps 64-bit integers that a double cannot hold", ({ expect }) => {
    const text = '{"a":9223372036854775807,"b":[-9007199254740993],"c":1e21,"d":"9223372036854775807","e":0.1}';
    const value = parseJson(text);
    expect(value).toEqual({ a: 9223372036854775807n, b: [-9007199254740993n], c: 1e21, d: "9223372036854775807", e: 0.1 });
    expect(jsonText(value)).toBe(text.replace("1e21", "1e+21"));
  });

  test("parseExactJson keeps every digit", ({ expect }) => {
    for (const text of ["[3.00000000000000000001]", "[12345678901234567890]", "[0.1,7]"]) expect(jsonText(parseExactJson(text))).toBe(text);
  });
});
