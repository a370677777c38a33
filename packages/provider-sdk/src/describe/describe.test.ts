// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { provider as notebook } from "../../test/notebook.ts";
import { attr, block, defineProvider, importById, nested, parameter, replaceInstead } from "../index.ts";
import { requiresReplace } from "../plan-modifiers/index.ts";
import { conflicting } from "../rules/index.ts";
import { stringLength } from "../validators/index.ts";
import { describe } from "./index.ts";

const garden = defineProvider({
  name: "garden",
  version: "2.1.0",
  description: "Plants.",
  deprecated: "Use park.",
  schema: { area: attr.number({ optional: true }) },
});
const plant = garden.resource("plant", {
  description: "One plant.",
  deprecated: "Use garden_tree.",
  schema: {
    bed: attr.string({ required: true, validators: [stringLength({ max: 9 }), (text) => (text === "x" ? "must not be x" : undefined)] }),
    name: attr.string({ required: true, planModifiers: [requiresReplace()] }),
    tags: attr.map(attr.string(), { default: { kind: "herb" } }),
    weight: attr.number({ default: 1.5 }),
    seeds: attr.bigint({ default: 12345678901234567890n }),
    pests: nested.list({ name: attr.string({ required: true }) }, { default: [{ name: "slug" }] }),
    water: block.set({ litres: attr.decimal({ required: true, sensitive: true }) }, { max: 3 }),
  },
  identity: { bed: attr.string(), name: attr.string({ nullable: true }) },
  create: ({ planned }) => planned,
  read: () => undefined,
  update: replaceInstead,
  delete: () => {},
  importState: importById("bed", "name"),
});
const season = garden.function("season", {
  summary: "The season.",
  parameters: { month: parameter(attr.number(), { description: "From 1.", allowNull: true }) },
  variadic: parameter(attr.list(attr.string())),
  returns: attr.string(),
  call: () => "spring",
});

const prune = garden.action("prune", {
  schema: { hard: attr.bool({ optional: true }), soft: attr.bool({ optional: true }) },
  rules: [conflicting("hard", "soft")],
  invoke: () => {},
});
const plants = garden.listResource(plant, { schema: { bed: attr.string({ optional: true }) }, list: () => [] });

test("describe contains defaults, validators, plan modifiers and the format of import ids", async ({ expect }) => {
  const described = await describe(garden.with([async () => ({ default: plant }), season, prune, plants]));
  expect(JSON.parse(JSON.stringify(described))).toEqual(described);
  expect(described).toMatchObject({ name: "garden", version: "2.1.0", description: "Plants.", deprecated: "Use park." });
  expect(described.entries).toMatchObject([{ name: "area", type: "number", optional: true, computed: false }]);
  expect(described).toMatchObject({
    actions: [
      {
        typeName: "garden_prune",
        rules: ["only one of hard and soft can be set"],
        entries: [{ name: "hard", type: "bool" }, { name: "soft" }],
      },
    ],
    listResources: [{ typeName: "garden_plant", entries: [{ name: "bed" }] }],
    stateStores: [],
  });
  const [resource] = described.resources;
  expect(resource).toMatchObject({
    typeName: "garden_plant",
    description: "One plant.",
    deprecated: "Use garden_tree.",
    version: 0,
    updates: false,
    moves: false,
    upgradesFrom: [],
    import: { by: "attributes", attributes: ["bed", "name"], form: "<bed>/<name>" },
    identity: {
      mutable: false,
      attributes: [
        { name: "bed", optional: false },
        { name: "name", type: "string", optional: true },
      ],
    },
  });
  const entries = new Map(resource?.entries.map((entry) => [entry.name, entry]));
  expect(entries.get("bed")).toMatchObject({ validators: ["must be at most 9 characters long"], planModifiers: [] });
  expect(entries.get("name")?.planModifiers).toEqual(["A change of this attribute replaces the resource."]);
  expect(entries.get("tags")).toMatchObject({ type: "map of string", default: { kind: "herb" } });
  expect(entries.get("weight")).toMatchObject({ type: "number", default: 1.5, optional: true, computed: true });
  expect(entries.get("seeds")).toMatchObject({ default: "12345678901234567890" });
  expect(entries.get("pests")).toMatchObject({ kind: "nested", nesting: "list", entries: [{ name: "name", required: true }] });
  expect(entries.get("water")).toMatchObject({
    kind: "block",
    nesting: "set",
    maxItems: 3,
    entries: [{ name: "litres", sensitive: true }],
  });
  expect(described.functions).toEqual([
    {
      name: "season",
      summary: "The season.",
      description: "",
      parameters: [{ name: "month", type: "number", description: "From 1.", allowNull: true, allowUnknown: false, validators: [] }],
      variadic: { name: "arguments", type: "list of string", description: "", allowNull: false, allowUnknown: false, validators: [] },
      returns: "string",
    },
  ]);
});

test("the kind of an entry narrows its type", async ({ expect }) => {
  const { resources } = await describe(notebook);
  for (const entry of resources.flatMap(({ entries }) => entries)) {
    // @ts-expect-error only an attribute has a type
    void entry.type;
    expect(entry.kind === "attribute" ? entry.type : entry.nesting).toBeTypeOf("string");
  }
});
