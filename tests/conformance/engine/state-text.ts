// SPDX-License-Identifier: Apache-2.0
import type { Random } from "@tenon/testing/generate";

type Tree = string | number | boolean | null | undefined | readonly Tree[] | { readonly [name: string]: Tree };

const names = ["a", "b", "web", "10", "2", "x<y", "é"];
const providers = [
  'provider["registry.opentofu.org/hashicorp/time"]',
  'provider["registry.opentofu.org/hashicorp/time"].west',
  'module.m.provider["example.com/acme/notes"]',
];
const modules = ["", "module.m", "module.m[0]", 'module.m["k"].module.n', "module.a.module.b[1]"];

/** The value of an attribute: any JSON. */
function attributeTree(random: Random, depth: number): Tree {
  const leaf = (): Tree =>
    random.pick<Tree>(["text", "", "<&>", "\u2028", "é\u0001", 0, 1.5, -7, 12345678901234, true, false, null, "1e3"]);
  if (depth === 0 || random.chance(0.4)) return leaf();
  if (random.chance(0.4)) return random.times(random.int(3), () => attributeTree(random, depth - 1));
  const keys = [...new Set(random.times(random.int(4), () => random.pick(names)))].sort((a, b) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
  return ordered(keys.map((key) => [key, attributeTree(random, depth - 1)]));
}

/** An object whose names keep their order. JavaScript would put names of digits first. */
class OrderedObject {
  readonly entries: readonly (readonly [string, Tree])[];
  constructor(entries: readonly (readonly [string, Tree])[]) {
    this.entries = entries;
  }
}

const ordered = (entries: readonly (readonly [string, Tree])[]): Tree => new OrderedObject(entries) as unknown as Tree;

function textOf(tree: Tree): string {
  if (tree instanceof OrderedObject)
    return `{${tree.entries.map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`).join(",")}}`;
  if (Array.isArray(tree)) return `[${(tree as readonly Tree[]).map((value) => textOf(value ?? null)).join(",")}]`;
  if (typeof tree === "object" && tree !== null) {
    const entries = Object.entries(tree).filter(([, value]) => value !== undefined);
    return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`).join(",")}}`;
  }
  return JSON.stringify(tree);
}

/** The index of an instance's key, which is seldom a duplicate. */
function keyIndex(random: Random, index: number): number {
  return random.chance(0.02) ? 0 : index;
}

type KeyKind = "none" | "count" | "each";

function objectTree(random: Random, keys: KeyKind, index: number, provider: string | undefined): Tree {
  const sometimes = (chance: number, make: () => Tree): Tree => (random.chance(chance) ? make() : undefined);
  const step = (): Tree =>
    random.pick<Tree>([
      { type: "get_attr", value: random.pick(names) },
      { type: "index", value: { value: random.int(3), type: "number" } },
      { type: "index", value: { value: "k", type: "string" } },
    ]);
  return {
    index_key: keys === "none" ? undefined : keys === "count" ? keyIndex(random, index) : ["c", "a", "10", "b"][keyIndex(random, index)],
    status: sometimes(0.2, () => "tainted"),
    deposed: sometimes(0.2, () => random.pick(["00000001", "deadbeef"])),
    provider: provider && (provider.endsWith("]") ? provider : random.pick([provider, `${provider}["k"]`, `${provider}[2]`])),
    schema_version: random.int(3),
    attributes: random.chance(0.95)
      ? ordered([
          ["id", random.pick<Tree>(["i-1", null])],
          ["tags", attributeTree(random, 3)],
        ])
      : undefined,
    sensitive_attributes: sometimes(0.6, () => random.times(random.int(3), () => random.times(1 + random.int(2), step))),
    private: sometimes(0.4, () => Buffer.from(random.pick(["", "x", "private data"])).toString("base64")),
    dependencies: sometimes(0.5, () =>
      random.times(random.int(3), () => random.pick(["time_static.a", "module.m.time_static.b", "data.x_y.z"])),
    ),
    create_before_destroy: sometimes(0.3, () => true),
    skip_destroy: sometimes(0.2, () => true),
    identity: sometimes(0.2, () => ({ id: "x" })),
    identity_schema_version: sometimes(0.2, () => random.int(2)),
  };
}

/** The text of a state file, which may have one or two errors. */
export function stateText(random: Random): string {
  const broken = random.chance(0.25);
  /** By name of a resource: OpenTofu writes numbers and texts among the keys of one resource in random order. */
  const keyKinds = new Map<string, KeyKind>();
  const resource = (index: number): Tree => {
    const name = random.chance(0.02) ? "r0" : `r${index}`;
    const keys = keyKinds.get(name) ?? random.pick<KeyKind>(["none", "count", "each"]);
    keyKinds.set(name, keys);
    const provider = random.pick(providers);
    // Instances have the provider where it has instances itself.
    const isOwn = random.chance(0.3);
    return {
      module: random.pick(modules) || undefined,
      mode: random.chance(0.75) ? "managed" : "data",
      type: random.pick(["time_static", "notes_note"]),
      name,
      provider: isOwn ? undefined : provider,
      instances: random.times(keys === "none" ? random.int(2) : random.int(4), (index) =>
        objectTree(random, keys, index, isOwn ? provider : undefined),
      ),
    };
  };
  const text = textOf({
    version: 4,
    terraform_version: random.pick(["1.12.6", "1.5.7", "0.13.0", "1.13.0-dev"]),
    serial: random.int(100),
    lineage: random.pick(["", "5f8b7f13-3e4c-9bf4-e320-4273b4d31d51"]),
    outputs: Object.fromEntries(
      random.times(random.int(3), (index) => [
        `o${index}`,
        random.pick<Tree>([
          { value: "x", type: "string", sensitive: true },
          { value: 1.5, type: "number" },
          { value: ["a", 1], type: ["tuple", ["string", "number"]] },
          { value: { a: null }, type: ["object", { a: "bool" }], deprecated: "old" },
          { value: null, type: "dynamic" },
        ]),
      ]),
    ),
    resources: random.times(random.int(4), resource),
    check_results: random.pick<Tree>([
      null,
      [],
      [
        {
          object_kind: "check",
          config_addr: "check.c",
          status: "fail",
          objects: [{ object_addr: "check.c", status: "fail", failure_messages: ["no"] }],
        },
      ],
      [{ object_kind: "output", config_addr: "output.o", status: "pass", objects: null }],
    ]),
  });
  return broken ? random.times(1 + random.int(2), () => random.pick(damages)).reduce(damaged, text) : text;
}

const damages: readonly (readonly [RegExp, string])[] = [
  [/"version":4/, '"version":5'],
  [/"version":4/, '"version":0'],
  [/"version":4,/, ""],
  [/"version":4/, '"version":"four"'],
  [/"terraform_version":"[^"]*"/, '"terraform_version":"x.y"'],
  [/"mode":"managed"/, '"mode":"ephemeral"'],
  [/"mode":"data"/, '"mode":"other"'],
  [/"provider":"(?:[^"\\]|\\.)*"/, '"provider":"provider.aws"'],
  [/"provider":"(?:[^"\\]|\\.)*",/, ""],
  [/"module":"(?:[^"\\]|\\.)*"/, '"module":"module.m["'],
  [/"status":"tainted"/, '"status":"odd"'],
  [/"deposed":"[^"]*"/, '"deposed":"abc"'],
  [/"index_key":[^,]*/, '"index_key":true'],
  [/"type":"get_attr"/, '"type":"got_attr"'],
  [/"dependencies":\["[^"]*"/, '"dependencies":["not an address"'],
  [/"type":"number"\}/, '"type":"numbr"}'],
  [/"value":1.5/, '"value":"x"'],
  [/,"serial"/, ',,"serial"'],
  [/"resources":\[/, '"resources":[é'],
  [/"type":"string"/, '"type":"stri\\u12ng"'],
  [/:true/, ":tru"],
  [/"schema_version":1/, '"schema_version":1.'],
  [/\]\}*$/, ""],
  [/"terraform_version":"[^"]*"/, '"terraform_version":1'],
  [/"serial":\d+/, '"serial":"1"'],
  [/"serial":\d+/, '"serial":-1'],
  [/"serial":\d+/, '"serial":1e2'],
  [/"lineage":"[^"]*"/, '"lineage":null'],
  [/"outputs":\{/, '"outputs":[],"other":{'],
  [/"sensitive":true/, '"sensitive":"true"'],
  [/"resources":\[/, '"resources":{},"other":['],
  [/"resources":\[/, '"resources":["x"],"other":['],
  [/"name":"r0"/, '"name":0'],
  [/"instances":\[/, '"instances":"x","other":['],
  [/"schema_version":\d/, '"schema_version":1.5'],
  [/"private":"/, '"private":"*'],
  [/"private":"[^"]*"/, '"private":true'],
  [/"dependencies":\[/, '"dependencies":[1,'],
  [/"create_before_destroy":true/, '"create_before_destroy":0'],
  [/"attributes":\{/, '"attributes_flat":{"a":1},"attributes":{'],
  [/"object_addr":"[^"]*"/, '"object_addr":[]'],
  [/"failure_messages":\[/, '"failure_messages":[{},'],
  [/"check_results":\[/, '"check_results":true,"other":['],
];

function damaged(text: string, [pattern, replacement]: (typeof damages)[number]): string {
  return text.replace(pattern, replacement);
}
