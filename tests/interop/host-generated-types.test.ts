// SPDX-License-Identifier: Apache-2.0
import { bool, list, map, number, object, string } from "@tenon/cty";
import { provider as notebook } from "@tenon/example-notebook";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider } from "@tenon/plugin-host";
import { generateTypes } from "@tenon/plugin-host/types";
import { createProvider } from "@tenon/provider-sdk";
import {
  createAttribute,
  createNestedAttributes,
  createNestedBlock,
  createSchema,
  type GetProviderSchemaResponse,
  type Provider,
  type Schema,
} from "@tenon/schema";
import { test } from "vitest";
import { compile, unexpected } from "./compiled-types.ts";

async function typesOf(provider: Provider, name: string): Promise<string> {
  const schema = await provider.getProviderSchema({});
  const identitySchemas = await provider.getResourceIdentitySchemas({}).then(
    (response) => response.identitySchemas,
    () => new Map<string, never>(),
  );
  await provider.close();
  return generateTypes(schema, { name, identitySchemas });
}

describePeer(["provider-time", "framework-provider"], "the generated types of Go providers", (peers) => {
  test("accept correct programs and reject wrong ones", { timeout: 180_000 }, async ({ expect }) => {
    const program = `
import { number, of } from "@tenon/cty";
import { isUnknown, openProvider, unknownValue } from "@tenon/plugin-host";
import type { Time } from "./time.ts";
import type { Framework } from "./framework.ts";
await using time = await openProvider<Time>("terraform-provider-time");
await using fw = await openProvider<Framework>("./framework", { config: { directory: "x", options: { prefix: "p" } } });
await openProvider<Framework>("./framework", { config: {} }); // wrong
await openProvider<Framework>("./framework"); // wrong
await openProvider<Framework>("./framework", { onWarning: console.warn }); // wrong
await openProvider<Framework>("./framework", { config: { directory: 1 } }); // wrong

const offsets = time.resource("time_offset");
time.resource("time_ofset"); // wrong
const made = await offsets.create({ offset_days: 7, base_rfc3339: "2026" });
await offsets.create({ offset_days: 7n, triggers: { a: "b", c: null }, base_rfc3339: undefined });
await offsets.create({ offset_days: of(number, 1), triggers: unknownValue });
await offsets.create({ offset_days: "7" }); // wrong
await offsets.create({ offset_dais: 7 }); // wrong
await offsets.create({ day: 7 }); // wrong
await offsets.create({ triggers: { a: 1 } }); // wrong
const rfc3339: string | null = made.state.rfc3339;
made.state.rfc = 1; // wrong
export const text: string = made.state.rfc3339; // wrong
made.state.rfc3339 = ""; // wrong
const plan = await offsets.plan({ offset_days: 8 }, { prior: made });
export const planned: string | null = plan.after!.rfc3339; // wrong
if (plan.after && !isUnknown(plan.after.rfc3339)) console.log(plan.after.rfc3339?.length, rfc3339);
if (plan.before) console.log(plan.before.rfc3339?.length);
await plan.apply({ offset_days: 8 });
await plan.apply({ offset: 8 }); // wrong
await time.resource("time_static").read(made); // wrong
await offsets.import("id");
await offsets.import({ identity: { id: "x" } }); // wrong
await time.data("anything", {}); // wrong

const records = fw.resource("framework_record");
const record = await records.create({ name: "n", rule: [{ port: 80, match: [{ pattern: "*" }] }], items: [{ key: "k" }], anything: { any: 1 } });
await records.create({}); // wrong
await records.create({ name: null }); // wrong
await records.create({ name: "n", rule: [{ port: 80, mach: [] }] }); // wrong
await records.create({ name: "n", rule: { port: 80 } }); // wrong
await records.create({ name: "n", items: [{ key: "k", stamp: "computed" }] }); // wrong
const id: string = record.identity!.id;
await records.import({ identity: { id } });
await records.import({ identity: { fingerprint: "x" } }); // wrong
const ports: readonly (number | bigint | object)[] = record.state.rule.map(({ port }) => port);
record.state.password.length; // wrong
await records.update(record, { name: "m" }, { replace: false });
await records.update(made, { name: "m" }); // wrong

const found = await fw.data("framework_lookup", { id });
const revision: number | bigint | object | null = found.revision;
await fw.data("framework_lookup", {}); // wrong
const joined: string | null = await fw.function("join", "-", "a", "b");
await fw.function("join"); // wrong
await fw.function("join", "-", 1); // wrong
await fw.function("join", null); // wrong
await fw.function("describe", { name: "a", size: null }, null);
await fw.function("describe", { name: "a" }, null); // wrong
await fw.function("dynamic", { any: [1] });
await fw.function("rfc3339_parse", ""); // wrong
export const year: number | bigint | object | null = (await time.function("rfc3339_parse", "2026"))!.year;
await using token = await fw.ephemeral("framework_token", { name: "t", ttl_seconds: 5 });
const value: string | null = token.state.value;
await fw.ephemeral("framework_token", { ttl_seconds: 5 }); // wrong
for await (const { state, identity } of fw.list("framework_record", { kind: "plain" }, { includeState: true })) console.log(state?.name, identity?.id);
for await (const { state } of fw.list("framework_record", { kind: "plain" })) console.log(state?.nam); // wrong
fw.list("framework_trouble", {}); // wrong
const touch = fw.action("framework_touch");
await touch.invoke({ id, times: 2 }, { onProgress: (message) => console.log(message.length) });
await touch.invoke({ times: 2 }); // wrong
for await (const event of touch.events({ id: unknownValue })) if (event.kind === "progress") console.log(event.message);
fw.action("framework_tuch"); // wrong
await fw.stateStore("anything", {}); // wrong
await token.renew();
const renewAt: Date = token.renewAt; // wrong
fw.list("framework_record", { kin: "plain" }); // wrong
console.log(ports, revision, joined, value, renewAt);
`;
    const files = {
      "time.ts": await typesOf(await launchProvider({ command: peers["provider-time"].path }), "Time"),
      "framework.ts": await typesOf(await launchProvider({ command: peers["framework-provider"].path }), "Framework"),
      "program.ts": program,
    };
    expect(unexpected("program.ts", program, (await compile(files)).errors)).toEqual([]);
  });
});

test("the generated types of a Tenon provider accept correct programs and reject wrong ones", { timeout: 180_000 }, async ({ expect }) => {
  const program = `
import { openProvider } from "@tenon/plugin-host";
import type { Notebook } from "./notebook.ts";
await using notebook = await openProvider<Notebook>(["node", "main.ts"], { config: { path: ":memory:" } });
const note = await notebook.resource("notebook_note").create({ title: "first" });
await notebook.resource("notebook_note").create({ titel: "first" }); // wrong
const title: string = note.state.title;
const slug: string | null = await notebook.function("slug", title);
console.log(slug);
`;
  const files = { "notebook.ts": await typesOf(createProvider(notebook), "Notebook"), "program.ts": program };
  expect(unexpected("program.ts", program, (await compile(files)).errors)).toEqual([]);
});

test("the generated types of a state store accept correct programs and reject wrong ones", { timeout: 180_000 }, async ({ expect }) => {
  const shed = createSchema({ attributes: { name: createAttribute({ type: string, required: true }) } });
  const text = generateTypes(
    { ...emptySchema, stateStores: new Map([["depot_shed", shed]]), actions: new Map([["depot_move", shed]]) },
    { name: "Depot" },
  );
  const program = `
import { openProvider } from "@tenon/plugin-host";
import type { Depot } from "./depot.ts";
await using depot = await openProvider<Depot>("./depot");
const states = await depot.stateStore("depot_shed", { name: "S" });
await depot.stateStore("depot_shed", {}); // wrong
await depot.stateStore("depot_move", { name: "S" }); // wrong
const state: Uint8Array | undefined = await states.read("default");
await states.write("default", "text"); // wrong
await using lock = await states.lock("default", "plan");
console.log(state, lock.lockId);
`;
  expect(unexpected("program.ts", program, (await compile({ "depot.ts": text, "program.ts": program })).errors)).toEqual([]);
});

test("the types of a provider with a thousand large resources compile", { timeout: 300_000 }, async ({ expect }) => {
  const resources = new Map(Array.from({ length: 1000 }, (_, index) => [`cloud_service${index}_thing`, largeSchema(index)]));
  const text = generateTypes({ ...emptySchema, resources, dataSources: resources }, { name: "Cloud" });
  const program = `
import { openProvider } from "@tenon/plugin-host";
import type { Cloud } from "./cloud.ts";
const cloud = await openProvider<Cloud>("./cloud");
const made = await cloud.resource("cloud_service999_thing").create({ attribute_1: "x", rule: [{ port: 1, match: [{ pattern: "x" }] }] });
const name: string = made.state.attribute_1;
cloud.resource("cloud_service1000_thing"); // wrong
await cloud.resource("cloud_service0_thing").create({ attribute_1: 1, rule: [] }); // wrong
console.log(name);
`;
  const { errors } = await compile({ "cloud.ts": text, "program.ts": program });
  expect(unexpected("program.ts", program, errors)).toEqual([]);
  expect(text.length).toBeGreaterThan(5_000_000);
});

test(
  "the types of one resource with three thousand attributes, and of blocks twenty deep, compile",
  { timeout: 180_000 },
  async ({ expect }) => {
    const attributes = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, index) => [`attribute_${index}`, createAttribute({ type: list(map(number)), optional: true })]),
    );
    let deep = createNestedBlock("list", { attributes: { value: createAttribute({ type: string, required: true }) } });
    for (let level = 20; level > 1; level--) deep = createNestedBlock("list", { blocks: { [`level_${level}`]: deep } });
    const resources = new Map([
      ["wide", createSchema({ attributes })],
      ["deep", createSchema({ blocks: { level_1: deep } })],
    ]);
    const levels = (last: string): string => {
      let text = `{ value: ${last} }`;
      for (let level = 20; level > 1; level--) text = `{ level_${level}: [${text}] }`;
      return `{ level_1: [${text}] }`;
    };
    const program = `
import { openProvider } from "@tenon/plugin-host";
import type { Extreme } from "./extreme.ts";
const extreme = await openProvider<Extreme>("./extreme");
const wide = await extreme.resource("wide").create({ attribute_0: [{ a: 1 }], attribute_2999: null });
await extreme.resource("wide").create({ attribute_3000: [] }); // wrong
await extreme.resource("wide").create({ attribute_2999: [{ a: "1" }] }); // wrong
console.log(wide.state.attribute_2999?.length);
await extreme.resource("deep").create(${levels('"x"')});
await extreme.resource("deep").create(${levels("1")}); // wrong
`;
    const text = generateTypes({ ...emptySchema, resources }, { name: "Extreme" });
    const { errors } = await compile({ "extreme.ts": text, "program.ts": program });
    expect(unexpected("program.ts", program, errors)).toEqual([]);
  },
);

describePeer(["sdkv2-provider"], "the generated types of a provider of protocol 5", (peers) => {
  test("accept correct programs and reject wrong ones", { timeout: 180_000 }, async ({ expect }) => {
    const text = await typesOf(await launchProvider({ command: peers["sdkv2-provider"].path }), "Old");
    const program = `
import { openProvider } from "@tenon/plugin-host";
import type { Old } from "./old.ts";
await using old = await openProvider<Old>("./old", { config: { directory: "d", region: "eu" } });
const servers = old.resource("sdkv2_server");
const made = await servers.create({ name: "n", image: "i", disk: [{ gigabytes: 1, mount: [{ path: "/" }] }] });
await servers.create({ name: "n", image: "i", disk: [{ gigabytes: "many" }] }); // wrong
await servers.create({ name: "n", image: "i", disc: [] }); // wrong
const size: number | bigint | object | null = made.state.disk[0]!.gigabytes;
console.log(size);
`;
    expect(unexpected("program.ts", program, (await compile({ "old.ts": text, "program.ts": program })).errors)).toEqual([]);
  });
});

const emptySchema: GetProviderSchemaResponse = {
  resources: new Map(),
  dataSources: new Map(),
  functions: new Map(),
  ephemeralResources: new Map(),
  listResources: new Map(),
  stateStores: new Map(),
  actions: new Map(),
  serverCapabilities: { planDestroy: false, getProviderSchemaOptional: false, moveResourceState: false, generateResourceConfig: false },
  diagnostics: [],
};

/** Forty attributes of every kind, and blocks two deep. */
function largeSchema(seed: number): Schema {
  const types = [string, number, bool, list(string), map(number), list(object({ a: string, b: list(number) }))];
  const attributes = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `attribute_${index}`,
      createAttribute({
        type: index === 1 ? string : types[(index + seed) % types.length]!,
        description: `Attribute ${index} of service ${seed}.`,
        ...(index === 1 ? { required: true } : index % 3 === 0 ? { computed: true } : { optional: true }),
      }),
    ]),
  );
  const nested = createNestedAttributes("list", { key: createAttribute({ type: string, required: true }) });
  const match = createNestedBlock("set", { attributes: { pattern: createAttribute({ type: string, required: true }) } });
  const rule = { attributes: { port: createAttribute({ type: number, required: true }) }, blocks: { match } };
  return createSchema({
    attributes: { ...attributes, items: createAttribute({ nested, optional: true }) },
    blocks: { rule: createNestedBlock("list", rule, { minItems: 1 }) },
  });
}
