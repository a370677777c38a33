// SPDX-License-Identifier: Apache-2.0
import { generateSchema, type Random, type SchemaSettings } from "@tenon/testing/generate";
import {
  isWriteOnly,
  type AttributeDeclaration,
  type DataSourceDeclaration,
  type ProviderDeclaration,
  type ResourceDeclaration,
  type SchemaDeclaration,
} from "../declaration.ts";
import { declareBody, type Role } from "./behaviour.ts";
import { makeModifiers } from "./modifiers.ts";
import { makeRules } from "./rules.ts";

/** Numbers of resources and data sources of a provider. */
export interface Extent {
  readonly resources: number;
  readonly dataSources: number;
}

/** Generates a provider: schemas that terraform-plugin-framework accepts, and what the provider does with the values. */
export function makeProvider(random: Random, { resources, dataSources }: Extent): ProviderDeclaration {
  return {
    name: "made",
    config: makeRoot(random, "provider"),
    resources: random.times(resources, (index) => makeResource(random, `r${index}`)),
    dataSources: random.times(dataSources, (index): DataSourceDeclaration => ({ name: `d${index}`, ...makeRoot(random, "dataSource") })),
  };
}

/** What the framework's schemas have. */
const settings: SchemaSettings = {
  depth: 3,
  attributeCount: [3, 8],
  blockNestings: ["single", "list", "set"],
  itemLimits: false,
  dynamicElements: false,
  tuples: false,
};

function makeRoot(random: Random, role: Role): SchemaDeclaration {
  const { block } = generateSchema(random, { ...settings, writeOnly: role === "resource", computed: role !== "provider" });
  const body = declareBody(random, block, role);
  const attributes: Record<string, AttributeDeclaration> = { ...body.attributes, mode: { kind: "string", mode: "optional" } };
  if (role === "resource") {
    const modifiers = makeModifiers(random, "string", "computed", role);
    attributes["trace"] = { kind: "string", mode: "computed", ...(modifiers.length > 0 && { modifiers }) };
  }
  const rules = makeRules(random, attributes, role);
  return {
    ...body,
    attributes,
    ...(rules.length > 0 && { rules }),
    ...(role !== "provider" && block.deprecated && { deprecated: "It is old." }),
  };
}

function makeResource(random: Random, name: string): ResourceDeclaration {
  const schema = makeRoot(random, "resource");
  const attributes: Record<string, AttributeDeclaration> = { ...schema.attributes, name: { kind: "string", mode: "required" } };
  const version = random.weighted([
    [3, 0],
    [2, 1],
    [2, 2],
  ]);
  return {
    ...schema,
    attributes,
    name,
    version,
    identity: makeIdentity(random, attributes),
    mutableIdentity: random.chance(0.3),
    earlier: makeEarlier(random, attributes, version),
    ...(random.chance(0.6) ? { importedBy: "name" } : {}),
    plans: random.chance(0.5),
    validates: random.chance(0.4),
  };
}

/** Chooses the attributes of the identity: none, or the name and some others that a configuration sets. */
function makeIdentity(random: Random, attributes: Readonly<Record<string, AttributeDeclaration>>): ResourceDeclaration["identity"] {
  const identity: Record<string, ResourceDeclaration["identity"][string]> = {};
  if (!random.chance(0.5)) return identity;
  identity["name"] = { kind: "string" };
  for (const [other, { kind, mode }] of Object.entries(attributes)) {
    if ((kind !== "string" && kind !== "int64" && kind !== "bool") || other === "mode" || other === "trace" || !random.chance(0.3))
      continue;
    if (mode === "required" || mode === "optional" || mode === "default")
      identity[other] = { kind, ...(mode === "required" ? {} : { optional: true }) };
  }
  return identity;
}

/** Generates the attributes of earlier versions: each has those of the version before, and some more. */
function makeEarlier(
  random: Random,
  attributes: Readonly<Record<string, AttributeDeclaration>>,
  version: number,
): ResourceDeclaration["earlier"] {
  const since = new Map(Object.keys(attributes).map((name) => [name, name === "name" || name === "mode" ? 0 : random.int(version + 1)]));
  return random.times(version, (at) =>
    Object.fromEntries(Object.entries(attributes).filter(([name, attribute]) => since.get(name)! <= at && !isWriteOnly(attribute))),
  );
}
