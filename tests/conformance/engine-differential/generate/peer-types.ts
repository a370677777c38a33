// SPDX-License-Identifier: Apache-2.0
// Resource types of the Go providers in tests/peers. Their objects have ids that follow from their configuration.
import type { Kind } from "./kind.ts";
import type { ResourceType, TypeAttribute, TypeBlock } from "./resource-types.ts";

/** A Go provider that a case uses beside the tfcoremock example. */
export interface PeerProvider {
  /** Its local name. */
  readonly name: string;
  readonly source: string;
  readonly types: readonly ResourceType[];
  /** The ephemeral resource type. */
  readonly ephemeral?: ResourceType;
  /** The attribute that names the folder of its objects. */
  readonly folder?: string;
  /** A sensitive attribute of its configuration, which can be ephemeral. */
  readonly secret?: string;
}

type Attribute = Omit<TypeAttribute, "name">;

function attributes(of: Readonly<Record<string, Kind | Attribute>>): readonly TypeAttribute[] {
  return Object.entries(of).map(([name, one]) =>
    typeof one === "object" && "use" in one ? { name, ...one } : { name, kind: one as Kind, use: "optional" },
  );
}

function block(name: string, of: Readonly<Record<string, Kind | Attribute>>, blocks: readonly TypeBlock[] = [], max?: number): TypeBlock {
  return { name, attributes: attributes(of), blocks, ...(max !== undefined && { max }) };
}

const computed = (kind: Kind): Attribute => ({ kind, use: "computed" });
const required = (kind: Kind): Attribute => ({ kind, use: "required" });
const whole: Attribute = { kind: "number", use: "optional", choices: ["0", "1", "2", "30", "-4", "null", "length([1, 2])"] };
const port: Attribute = { ...whole, use: "required", choices: ["80", "443", "1 + 1"] };

const nested: Kind = { object: { key: "string", value: "string" }, optional: ["value"] };
const member: Kind = { object: { key: "string", value: "string" }, optional: ["value"] };

const lookup: ResourceType = {
  name: "framework_lookup",
  provider: "framework",
  hasId: true,
  isData: true,
  attributes: attributes({
    id: computed("string"),
    name: computed("string"),
    kind: computed("string"),
    revision: computed("number"),
    tags: computed({ list: "string" }),
    secret: { ...computed("string"), sensitive: true },
  }),
  blocks: [],
};

const record: ResourceType = {
  name: "framework_record",
  provider: "framework",
  hasId: false,
  isData: true,
  dataType: lookup,
  nameAttribute: "name",
  attributes: attributes({
    id: computed("string"),
    revision: computed("number"),
    note: computed("string"),
    name: computed("string"),
    kind: { kind: "string", use: "optional", choices: ['"plain"', '"other"', '"third"', "null"] },
    flag: "bool",
    size: whole,
    ratio: { ...whole, choices: ["0.5", "2", "null"] },
    precise: "number",
    tags: { list: "string" },
    labels: { set: "string" },
    notes: { map: "string" },
    origin: { object: { host: "string", port: "number" } },
    anything: { map: "string" },
    caseless: "string",
    secret: { kind: "string", use: "optional", sensitive: true },
    password: { kind: "string", use: "optional", writeOnly: true },
    password_version: whole,
    old_name: { kind: "string", use: "optional", isDeprecated: true },
    single: nested,
    items: { list: nested },
    entries: { map: nested },
    members: { set: member },
  }),
  blocks: [
    block("rule", { port, comment: "string" }, [block("match", { pattern: required("string") })]),
    block("access", { role: required("string"), write: "bool" }),
    block("limits", { cpu: { ...whole, choices: ["0.5", "1"] }, memory: "string" }, [], 1),
  ],
};

const token: ResourceType = {
  name: "framework_token",
  provider: "framework",
  hasId: false,
  isData: false,
  nameAttribute: "name",
  attributes: attributes({ name: computed("string"), value: { ...computed("string"), sensitive: true } }),
  blocks: [],
};

const server: ResourceType = {
  name: "sdkv2_server",
  provider: "sdkv2",
  hasId: false,
  isData: false,
  nameAttribute: "name",
  attributes: attributes({
    id: computed("string"),
    address: computed("string"),
    revision: computed("number"),
    name: computed("string"),
    image: { kind: "string", use: "required", choices: ['"one"', '"two"', '"two"', '"one"', '"half"'] },
    size: { kind: "string", use: "optional", choices: ['"small"', '"big"', "null", '"big"', '"medium"'] },
    cores: { ...whole, choices: ["1", "2", "13", "null", "0"] },
    load: { ...whole, choices: ["0.1", "1.5", "2", "null"] },
    running: "bool",
    password: { kind: "string", use: "optional", sensitive: true },
    zone: "string",
    commands: { list: "string" },
    groups: { set: "string" },
    labels: { map: "string" },
  }),
  blocks: [
    block("disk", { gigabytes: { ...port, choices: ["10", "20"] }, kind: "string" }, [
      block("mount", { path: required("string"), readonly: "bool" }),
    ]),
    block("rule", { port, protocol: "string" }),
    block("contact", { mail: required("string") }, [], 1),
    block("route", { to: "string" }),
  ],
};

const note: ResourceType = {
  name: "sdkv2_note",
  provider: "sdkv2",
  hasId: false,
  isData: false,
  nameAttribute: "text",
  attributes: attributes({
    id: computed("string"),
    text: computed("string"),
    secret: { kind: "string", use: "optional", sensitive: true },
  }),
  blocks: [],
};

const times = ['"2024-02-29T12:00:00Z"', '"2030-01-01T00:00:00Z"'];

const timeTypes: readonly ResourceType[] = [
  {
    name: "time_static",
    provider: "time",
    hasId: false,
    isData: false,
    attributes: attributes({
      rfc3339: { kind: "string", use: "required", choices: times },
      triggers: { map: "string" },
      year: computed("number"),
      unix: computed("number"),
      id: computed("string"),
    }),
    blocks: [],
  },
  {
    name: "time_offset",
    provider: "time",
    hasId: false,
    isData: false,
    attributes: attributes({
      base_rfc3339: { kind: "string", use: "required", choices: times },
      offset_days: { ...whole, use: "required", choices: ["1", "-7", "30"] },
      triggers: { map: "string" },
      rfc3339: computed("string"),
      hour: computed("number"),
      id: computed("string"),
    }),
    blocks: [],
  },
];

/** The Go providers. */
export const peerProviders: readonly PeerProvider[] = [
  {
    name: "framework",
    source: "registry.terraform.io/tenon/framework",
    types: [record, record],
    ephemeral: token,
    folder: "directory",
    secret: "token",
  },
  { name: "sdkv2", source: "registry.terraform.io/tenon/sdkv2", types: [server, server, note], folder: "directory" },
  { name: "time", source: "registry.terraform.io/hashicorp/time", types: timeTypes },
];
