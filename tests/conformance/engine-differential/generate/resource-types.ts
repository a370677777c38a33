// SPDX-License-Identifier: Apache-2.0
// The resource types that generated configurations use, and the declarations of those that the tfcoremock example makes.
import type { Random } from "@tenon/testing/generate";
import { basicKinds, type Kind } from "./kind.ts";

/** An attribute of a resource type. */
export interface TypeAttribute {
  readonly name: string;
  readonly kind: Kind;
  /** Whether a configuration can set it, must set it, or cannot. */
  readonly use: "optional" | "required" | "computed";
  /** Whether it is sensitive, or something in it. */
  readonly sensitive?: boolean;
  /** Whether its value can differ between two runs, such as a random id. */
  readonly isRandom?: boolean;
  /** Expressions to choose from, where most values would be errors. */
  readonly choices?: readonly string[];
  /** Whether no plan and no state has its value, which can be ephemeral. */
  readonly writeOnly?: boolean;
  /** Whether the provider has deprecated it. */
  readonly isDeprecated?: boolean;
}

/** A block of a resource type. */
export interface TypeBlock {
  readonly name: string;
  readonly attributes: readonly TypeAttribute[];
  readonly blocks: readonly TypeBlock[];
  /** Maximum number of such blocks. Default: 2. */
  readonly max?: number;
}

/** A resource type, which is a data source as well where `isData` says so. */
export interface ResourceType {
  readonly name: string;
  /** Local name of its provider; absent for the built-in one. */
  readonly provider?: string;
  /** Whether objects have an id that the configuration can choose. */
  readonly hasId: boolean;
  readonly isData: boolean;
  /** The data source that reads an object by its id, if it is not the one of the same name. */
  readonly dataType?: ResourceType;
  /** Name of the attribute that no two objects may share, and that must be set. */
  readonly nameAttribute?: string;
  readonly attributes: readonly TypeAttribute[];
  readonly blocks: readonly TypeBlock[];
}

const basic: readonly TypeAttribute[] = [
  { name: "bool", kind: "bool", use: "optional" },
  { name: "number", kind: "number", use: "optional" },
  { name: "string", kind: "string", use: "optional" },
  { name: "float", kind: "number", use: "optional" },
];

const id: TypeAttribute = { name: "id", kind: "string", use: "computed", isRandom: true };

const nestedObject: Kind = { object: { bool: "bool", number: "number", string: "string" }, optional: ["bool", "number", "string"] };

/** The types that need no declaration. */
export const fixedTypes: readonly ResourceType[] = [
  { name: "tfcoremock_simple_resource", provider: "tfcoremock", hasId: true, isData: true, attributes: [...basic, id], blocks: [] },
  {
    name: "tfcoremock_complex_resource",
    provider: "tfcoremock",
    hasId: true,
    isData: true,
    attributes: [
      ...basic,
      id,
      { name: "list", kind: { list: nestedObject }, use: "optional" },
      { name: "map", kind: { map: nestedObject }, use: "optional" },
      { name: "set", kind: { set: nestedObject }, use: "optional" },
      {
        name: "object",
        kind: { object: { string: "string", list: { list: nestedObject } }, optional: ["string", "list"] },
        use: "optional",
      },
    ],
    blocks: [
      { name: "list_block", attributes: basic, blocks: [{ name: "set_block", attributes: basic, blocks: [] }] },
      { name: "set_block", attributes: basic, blocks: [] },
    ],
  },
  {
    name: "terraform_data",
    hasId: false,
    isData: false,
    attributes: [
      { name: "input", kind: "string", use: "optional" },
      { name: "triggers_replace", kind: { list: "string" }, use: "optional" },
      { name: "output", kind: "string", use: "computed" },
      { ...id },
    ],
    blocks: [],
  },
];

/** Resource types, and the text of the `dynamic_resources.json` that declares some of them. */
export interface MadeTypes {
  readonly types: readonly ResourceType[];
  readonly dynamicResources: string;
}

/** Makes resource types of the tfcoremock example. */
export function makeTypes(random: Random, count: number): MadeTypes {
  const declarations: Record<string, object> = {};
  const types = random.times(count, (index) => {
    const name = `tfcoremock_t${index}`;
    const { declared, ...type } = makeObject(random, 2);
    declarations[name] = declared;
    return { name, provider: "tfcoremock", hasId: true, isData: true, attributes: [...type.attributes, id], blocks: type.blocks };
  });
  return { types, dynamicResources: JSON.stringify(declarations, undefined, 2) };
}

interface MadeObject {
  readonly attributes: readonly TypeAttribute[];
  readonly blocks: readonly TypeBlock[];
  readonly declared: { readonly attributes: object; readonly blocks: object };
}

function makeObject(random: Random, depth: number): MadeObject {
  const attributes: TypeAttribute[] = [];
  const declared: Record<string, object> = {};
  for (const index of Array(1 + random.int(5)).keys()) {
    const made = makeAttribute(random, `a${index}`);
    attributes.push(made.attribute);
    declared[made.attribute.name] = made.declared;
  }
  const blocks: TypeBlock[] = [];
  const declaredBlocks: Record<string, object> = {};
  if (depth > 0) {
    for (const index of Array(
      random.weighted([
        [5, 0],
        [3, 1],
        [1, 2],
      ] as const),
    ).keys()) {
      const name = `b${index}`;
      const inner = makeObject(random, depth - 1 - random.int(2));
      blocks.push({ name, attributes: inner.attributes, blocks: inner.blocks });
      declaredBlocks[name] = { ...inner.declared, mode: random.pick(["list", "set"]) };
    }
  }
  return { attributes, blocks, declared: { attributes: declared, blocks: declaredBlocks } };
}

const valueOf = { string: { string: "made" }, number: { number: "7" }, bool: { boolean: true } };

function makeAttribute(random: Random, name: string): { readonly attribute: TypeAttribute; readonly declared: object } {
  const use = random.weighted([
    [6, "optional"],
    [2, "computed"],
    [2, "required"],
    [2, "both"],
  ] as const);
  const basicKind = random.pick(basicKinds);
  const shape =
    use === "computed" || use === "both"
      ? "basic"
      : random.weighted([
          [6, "basic"],
          [2, "collection"],
          [2, "nested"],
        ] as const);
  const made = shape === "nested" ? makeNested(random) : declaredKind(shape === "basic" ? basicKind : collection(random));
  const isMarked = random.chance(0.1);
  const flags = {
    ...(use === "required" && { required: true }),
    ...((use === "optional" || use === "both") && { optional: true }),
    ...((use === "computed" || use === "both") && { computed: true, ...(random.chance(0.8) && { value: valueOf[basicKind] }) }),
    ...(isMarked && { sensitive: true }),
    ...(use !== "computed" && random.chance(0.15) && { replace: true }),
  };
  const sensitive = isMarked || JSON.stringify(made.declared).includes('"sensitive"');
  const attribute = { name, kind: made.kind, use: use === "both" ? "optional" : use, ...(sensitive && { sensitive }) } as const;
  return { attribute, declared: { ...made.declared, ...flags } };
}

function collection(random: Random): Kind {
  const element = random.pick(basicKinds);
  return random.pick([{ list: element }, { set: element }, { map: element }]);
}

const typeNames = { string: "string", number: "number", bool: "boolean" };

function declaredKind(kind: Kind): { readonly kind: Kind; readonly declared: object } {
  if (typeof kind === "string") return { kind, declared: { type: typeNames[kind] } };
  const [[type, element]] = Object.entries(kind) as [[string, Kind]];
  return { kind, declared: { type, [type]: declaredKind(element).declared } };
}

/** An object, or a collection of objects, with flags of their own or (`skip_nested_metadata`) of an object type. */
function makeNested(random: Random): { readonly kind: Kind; readonly declared: object } {
  const isPlain = random.chance(0.25);
  const members: Record<string, Kind> = {};
  const declared: Record<string, object> = {};
  for (const index of Array(1 + random.int(3)).keys()) {
    const name = `n${index}`;
    const one = random.chance(0.8) ? random.pick(basicKinds) : collection(random);
    members[name] = one;
    declared[name] = {
      ...declaredKind(one).declared,
      ...(!isPlain && { optional: true, ...(random.chance(0.1) && { replace: true }), ...(random.chance(0.1) && { sensitive: true }) }),
    };
  }
  const object: Kind = { object: members, ...(!isPlain && { optional: Object.keys(members) }) };
  const plain = isPlain ? { skip_nested_metadata: true } : {};
  const element = { type: "object", object: declared };
  const nesting = random.pick(["object", "list", "set", "map"] as const);
  if (nesting === "object") return { kind: object, declared: { ...element, ...plain } };
  return { kind: { [nesting]: object } as unknown as Kind, declared: { type: nesting, [nesting]: { ...element, ...plain }, ...plain } };
}
