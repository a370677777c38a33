// SPDX-License-Identifier: Apache-2.0
import { bool, list, object, set, string } from "@tenon/cty";
import { createAttribute, createSchema, type FunctionSignature } from "@tenon/schema";
import fc from "fast-check";
import { describe, test } from "vitest";
import { isIdentifier, upperFirst } from "../names/identifier.ts";
import { pythonName } from "../names/property-name.ts";
import { componentTokens, type NamedComponent, nameOfToken } from "../names/token-name.ts";
import type { PackageMapping } from "./mapping.ts";
import { mapPackage, type PackageSource } from "./map-package.ts";

type Attributes = Readonly<Record<string, Parameters<typeof createAttribute>[0]>>;

const text = { type: string, optional: true };

function packageOf(resources: Readonly<Record<string, Attributes>>, source: Partial<PackageSource> = {}): PackageMapping {
  const schemas = Object.entries(resources).map(([name, attributes]) => {
    const block = Object.fromEntries(Object.entries(attributes).map(([one, attribute]) => [one, createAttribute(attribute)]));
    return [name, createSchema({ attributes: block })] as const;
  });
  return mapPackage({
    name: "test",
    version: "1.0.0",
    identities: new Map(),
    schemas: { ...emptySchemas, resources: new Map(schemas) },
    ...source,
  });
}

const emptySchemas: PackageSource["schemas"] = {
  resources: new Map(),
  dataSources: new Map(),
  ephemeralResources: new Map(),
  listResources: new Map(),
  functions: new Map(),
  actions: new Map(),
  stateStores: new Map(),
  serverCapabilities: { planDestroy: true, getProviderSchemaOptional: true, moveResourceState: true, generateResourceConfig: false },
  diagnostics: [],
};

function propertiesOf(attributes: Attributes, source?: Partial<PackageSource>): Readonly<Record<string, string>> {
  const [resource] = packageOf({ test_thing: attributes }, source).resources.values();
  return Object.fromEntries(resource!.object.properties.map(({ attribute, property }) => [attribute, property]));
}

describe("property names", () => {
  test("are those of Pulumi's own bridge", ({ expect }) => {
    const names = list(string);
    expect(
      propertiesOf({
        first_name: text,
        tag: { type: names, optional: true },
        policies: { type: set(string), optional: true },
        key: { type: names, optional: true },
        keys: text,
        ipv4_address: text,
        a_1b: text,
        _hidden: text,
        trailing_: text,
      }),
    ).toEqual({
      first_name: "firstName",
      tag: "tags",
      policies: "policies",
      key: "key",
      keys: "keys",
      ipv4_address: "ipv4Address",
      a_1b: "a1b",
      _hidden: "_hidden",
      trailing_: "trailing_",
    });
  });

  test("are replaced if Pulumi reserves them", ({ expect }) => {
    const names = propertiesOf({ id: { type: string, required: true }, urn: text, pulumi: text, constructor: text });
    expect(names).toEqual({ id: "thingId", urn: "testUrn", pulumi: "pulumiInfo", constructor: "constructorValue" });
    expect(propertiesOf({ id: { type: string, computed: true } })).toEqual({ id: "id" });
    expect(propertiesOf({ id: text, thing_id: text, test_thing_id: text })).toMatchObject({ id: "resourceId" });
  });

  test("that are not identifiers are replaced and listed", ({ expect }) => {
    const mapping = packageOf({
      test_thing: { "3x": text, "a-b": text, __meta: text, ä: text, nested: { type: object({ "1": bool }), optional: true } },
    });
    expect(mapping.deviations).toEqual([
      { subject: "attribute 3x of resource test_thing", theirs: "3x", ours: "threeX" },
      { subject: "attribute __meta of resource test_thing", theirs: "__meta", ours: "meta" },
      { subject: "attribute a-b of resource test_thing", theirs: "a-b", ours: "aB" },
      { subject: "attribute ä of resource test_thing", theirs: "ä", ours: "property" },
      { subject: "attribute nested.1 of resource test_thing", theirs: "1", ours: "one" },
    ]);
  });

  test("stay with the attribute in plain snake case if several have the same name", ({ expect }) => {
    const names = propertiesOf({ a__b: text, a_b: text });
    expect(names["a_b"]).toBe("aB");
    expect(names["a__b"]).toMatch(/^aBX[0-9a-f]{4}$/);
    expect(propertiesOf({ a__b: text })).toEqual({ a__b: "aB" });
  });

  test("are unique, valid in every language, and stable when attributes are added", ({ expect }) => {
    const name = fc.stringMatching(/^[a-bA3_-]{1,5}s?$/);
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 12 }), name, (attributes, added) => {
        const block = (names: readonly string[]): Attributes =>
          Object.fromEntries(names.map((one) => [one, { type: one.length % 2 ? string : list(string), optional: true }]));
        const properties = propertiesOf(block(attributes));
        const all = Object.values(properties);
        for (const spelling of [(one: string) => one, upperFirst, pythonName]) expect(new Set(all.map(spelling)).size).toBe(all.length);
        expect(all.every(isIdentifier)).toBe(true);
        const recorded = Object.fromEntries(attributes.map((one) => [`attribute ${one} of resource test_thing`, properties[one]!]));
        const more = propertiesOf(block([...new Set([...attributes, added])]), { names: recorded });
        expect(more).toMatchObject(properties);
      }),
    );
  });
});

describe("names of types", () => {
  const nestedObject = (attribute: string): Parameters<typeof createAttribute>[0] => ({
    type: object({ [attribute]: object({ x: string }) }),
    optional: true,
  });
  // The paths c.a_b and c_a.b have one name.
  const clashing = { test_thing: { c: nestedObject("a_b"), c_a: nestedObject("b") } };
  const path = (mapping: PackageMapping): readonly (string | undefined)[] =>
    ["c.aB", "cA.b"].map((one) => mapping.typeNames.get(`test:index/thing:Thing.${one}`));

  test("that two paths have are listed and recorded, and stay when types are added", ({ expect }) => {
    const mapping = packageOf(clashing);
    const [first, second] = path(mapping);
    expect(first).toBe("ThingCAB");
    expect(second).toMatch(/^ThingCABX[0-9a-f]{4}$/);
    expect(mapping.deviations).toEqual([{ subject: "type of attribute c_a.b of resource test_thing", theirs: "ThingCAB", ours: second }]);
    const names = { "type of attribute c_a.b of resource test_thing": "Former" };
    expect(path(packageOf(clashing, { names }))).toEqual([first, "Former"]);
    // A recorded name stays free for its type, whatever comes before it.
    const taken = { "type of attribute c_a.b of resource test_thing": "ThingCAB" };
    const [other, kept] = path(packageOf(clashing, { names: taken }));
    expect(other).toMatch(/^ThingCABX/);
    expect(kept).toBe("ThingCAB");
  });
});

describe("tokens", () => {
  const tokensOf = (components: readonly NamedComponent[], recorded?: (one: NamedComponent) => string | undefined): readonly string[] =>
    componentTokens(components, {
      packageName: "test",
      resourceTypes: components.filter(({ kind }) => kind === "resource").map(({ name }) => name),
      ...(recorded ? { recorded } : {}),
    }).map(({ token }) => token);
  const resources = (...names: readonly string[]): NamedComponent[] => names.map((name) => ({ kind: "resource", name }));

  test("are those of Pulumi's own bridge", ({ expect }) => {
    expect(
      tokensOf([
        ...resources("x_pet", "x_big_dog", "x_3d-view", "x", "x_provider"),
        { kind: "data source", name: "x_pet" },
        { kind: "function", name: "parse_arn" },
        { kind: "function", name: "3x" },
      ]),
    ).toEqual([
      "test:index/pet:Pet",
      "test:index/bigDog:BigDog",
      "test:index/threeDView:ThreeDView",
      "test:index/x:X",
      "test:index/testProvider:TestProvider",
      "test:index/getPet:getPet",
      "test:index/parseArn:parseArn",
      "test:index/threeX:ThreeX",
    ]);
    expect(tokensOf(resources("a_x", "b_x"))).toEqual(["test:index/aX:AX", "test:index/bX:BX"]);
  });

  test("that differ only in case from others, or equal a derived name, get a suffix", ({ expect }) => {
    const [first, second] = tokensOf(resources("x_foo_bar", "x_foobar"));
    expect(first).toBe("test:index/fooBar:FooBar");
    expect(second).toMatch(/^test:index\/foobarX[0-9a-f]{4}:FoobarX[0-9a-f]{4}$/);
    expect(tokensOf(resources("x_foo_b_ar", "x_foo_bar", "x_foobar"))[2]).toBe(second);
    expect(tokensOf(resources("x_foo", "x_foo_args"))[1]).toMatch(/FooArgsX/);
    expect(tokensOf([...resources("x_none"), { kind: "function", name: "delete" }]).map(nameOfToken)).toEqual([
      "NoneResource",
      "deleteFunction",
    ]);
  });

  test("are unique, valid, and stable when resources are added", ({ expect }) => {
    const kind = fc.constantFrom("resource", "data source", "ephemeral resource", "function");
    const component = fc.record({ kind, name: fc.stringMatching(/^x_[a-bA3_-]{1,5}$/) }) as fc.Arbitrary<NamedComponent>;
    const selector = ({ kind: one, name }: NamedComponent): string => `${one} ${name}`;
    const components = fc.uniqueArray(component, { minLength: 1, maxLength: 12, selector });
    fc.assert(
      fc.property(components, component, (before, added) => {
        fc.pre(!before.some((one) => selector(one) === selector(added)));
        const tokens = tokensOf(before);
        expect(new Set(tokens.map((token) => token.toLowerCase())).size).toBe(tokens.length);
        expect(tokens.map(nameOfToken).every((name) => isIdentifier(name) && name !== "Provider")).toBe(true);
        const recorded = new Map(before.map((one, at) => [selector(one), nameOfToken(tokens[at]!)]));
        const after = tokensOf([added, ...before], (one) => recorded.get(selector(one)));
        expect(after.slice(1)).toEqual(tokens);
      }),
    );
  });

  test("of functions rename parameters that are keywords", ({ expect }) => {
    const signature: FunctionSignature = {
      parameters: [
        { name: "default", type: string, allowNullValue: false, allowUnknownValues: false, description: "", descriptionKind: "plain" },
      ],
      returnType: string,
      summary: "",
      description: "",
      descriptionKind: "plain",
      deprecationMessage: "",
    };
    const mapping = packageOf({}, { schemas: { ...emptySchemas, functions: new Map([["shout", signature]]) } });
    expect(mapping.deviations).toEqual([{ subject: "attribute default of function shout", theirs: "default", ours: "defaultValue" }]);
  });
});
