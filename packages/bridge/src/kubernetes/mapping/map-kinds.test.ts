// SPDX-License-Identifier: Apache-2.0
import { list, object, string } from "@tenon/cty";
import { createAttribute, createNestedBlock, createSchema } from "@tenon/schema";
import { describe, test } from "vitest";
import { kindVersion } from "./kind-version.ts";
import { mapKinds, type KindOptions } from "./map-kinds.ts";
import { readResourceRules } from "./read-resource-rules.ts";
import type { ResourceRules } from "./resource-rules.ts";

const schema = createSchema({
  attributes: {
    id: createAttribute({ type: string, computed: true }),
    name: createAttribute({ type: string, required: true }),
    token: createAttribute({ type: string, optional: true, writeOnly: true }),
    key: createAttribute({ type: string, computed: true, sensitive: true }),
    size: createAttribute({ type: string, optional: true, computed: true, deprecated: true, deprecationMessage: "use scale" }),
    rules: createAttribute({ type: list(object({ net_id: string })), optional: true }),
  },
  blocks: { disk: createNestedBlock("list", { attributes: { size: createAttribute({ type: string, optional: true }) } }, { minItems: 1 }) },
});
const schemas = {
  resources: new Map([
    ["x_host", schema],
    ["x_net", schema],
  ]),
};

function map(rules: ResourceRules = {}, options: Partial<KindOptions> = {}) {
  return mapKinds({ schemas }, { group: "x.example.org", resources: ["x_host"], rules: { x_host: rules }, ...options })[0]!;
}

describe("mapKinds", () => {
  test("maps each field to spec, status or both", ({ expect }) => {
    const { fields } = map();
    expect(Object.fromEntries([...fields.byParameter].map(([name, { parameter }]) => [name, parameter]))).toEqual({
      disk: "required",
      name: "required",
      rules: "optional",
      size: "optional",
      tokenSecretRef: "optional",
    });
    expect([...fields.byObservation.keys()].toSorted()).toEqual(["disk", "id", "name", "rules", "size"]);
    expect(fields.byParameter.get("size")!.description).toBe("Deprecated: use scale.");
  });

  test("leaves out of spec the argument that holds the external name", ({ expect }) => {
    const { fields } = map({ externalName: { attribute: "name", isArgument: true } });
    expect([fields.byParameter.has("name"), fields.byObservation.has("name")]).toEqual([false, true]);
  });

  test("does not require an attribute for which a reference is possible", ({ expect }) => {
    const { fields } = map({ references: { name: { type: "x_net" }, "rules.net_id": { type: "x_net" } } });
    expect(fields.byParameter.get("name")).toMatchObject({
      parameter: "optional",
      reference: { referenceName: "nameRef", selectorName: "nameSelector", isList: false },
    });
    expect([...fields.referenceNames]).toEqual(["nameRef", "nameSelector"]);
  });

  test("gives a type the same names whichever types are selected", ({ expect }) => {
    const all = mapKinds({ schemas }, { group: "x.example.org" });
    expect(all.map(({ names }) => names.kind)).toEqual(["Host", "Net"]);
    expect(map().names).toEqual(all[0]!.names);
  });

  test("reads rules from data, and rejects what no rule says", ({ expect }) => {
    const rules = {
      version: "v1beta2",
      notFoundErrors: ["was not found"],
      moves: { renamed: { size: "width" }, removed: ["disk.id"] },
    };
    expect(readResourceRules({ x_host: rules })).toEqual({ x_host: rules });
    expect(() => readResourceRules({ x_host: { version: "1.0" } })).toThrow("rules.x_host.version must be the name of a version");
    expect(() => readResourceRules({ x_host: { moves: { rename: {} } } })).toThrow("rules.x_host.moves has an unknown field rename");
  });

  test("gives a kind the version of its rules, or that of all kinds", ({ expect }) => {
    const kinds = [map(), map({ version: "v2" })];
    expect(kinds.map((kind) => kindVersion(kind))).toEqual(["v1alpha1", "v2"]);
    expect(kinds.map((kind) => kindVersion(kind, "v1beta1"))).toEqual(["v1beta1", "v2"]);
  });

  test.for([
    [{ group: "example" }, {}, '"example" is not an API group'],
    [{ group: "Example.org" }, {}, "is not an API group"],
    [{ resources: ["x_other"] }, {}, "the provider has no resource type x_other"],
    [{}, { immutable: ["disk.width"] }, "the rules of x_host name disk.width, which its schema does not have"],
    [{}, { externalName: { attribute: "title" } }, "name title, which its schema does not have"],
    [{}, { references: { name: { type: "x_other" } } }, "refer to x_other, which is no resource type"],
    [{}, { kind: "host" }, 'the kind "host" of x_host must have'],
  ] as const satisfies readonly (readonly [Partial<KindOptions>, ResourceRules, string])[])(
    "rejects %j, rules %j",
    ([options, rules, problem], { expect }) => {
      expect(() => map(rules, options)).toThrow(
        expect.objectContaining({ code: "INVALID_ARGUMENTS", message: expect.stringContaining(problem) as string }),
      );
    },
  );
});
