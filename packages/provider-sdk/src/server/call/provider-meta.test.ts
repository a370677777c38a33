// SPDX-License-Identifier: Apache-2.0
import { nullOf } from "@tenon/cty";
import { impliedType } from "@tenon/schema";
import { describe, test } from "vitest";
import { configOf, texts, Unknown, type Data } from "../../../test/resource-life.ts";
import { attr, createProvider, defineProvider, isUnknown, moduleMeta } from "../../index.ts";
import type { ProviderMeta } from "../../definition/index.ts";

const usage = moduleMeta({ module: attr.string({ required: true }), stage: attr.string({ optional: true, sensitive: true }) });
const readings: string[] = [];
const record = (handler: string, meta: ProviderMeta): void => {
  const read = usage.read(meta);
  readings.push(`${handler}: ${read === null ? "nothing" : isUnknown(read.module) ? "unknown" : read.module}`);
};

const office = defineProvider({ name: "office", version: "1.0.0", meta: usage });
const desk = office.resource("desk", {
  schema: { name: attr.string({ required: true }) },
  plan: ({ meta }) => record("plan", meta),
  planDestroy: ({ meta }) => record("planDestroy", meta),
  create: ({ planned, meta }) => (record("create", meta), planned),
  read: ({ state, meta }) => (record("read", meta), state),
  update: ({ planned, meta }) => (record("update", meta), planned),
  delete: ({ meta }) => record("delete", meta),
});
const room = office.dataSource("room", {
  schema: { name: attr.string({ required: true }) },
  read: ({ config, meta, warn }) => {
    record("data", meta);
    warn(`stage ${String(usage.read(meta)?.stage)}`);
    return config;
  },
});

describe("provider_meta", () => {
  test("appears in the schema, and every handler of a resource or data source can read it", async ({ expect }) => {
    const provider = createProvider(office.with([desk, room]));
    const schema = await provider.getProviderSchema({});
    const { block } = schema.resources.get("office_desk")!;
    const typeName = "office_desk";
    const providerMeta = configOf(schema.providerMeta!.block, { module: "m" });
    const [a, b, none] = [configOf(block, { name: "a" }), configOf(block, { name: "b" }), nullOf(impliedType(block))];
    const bytes = { priorPrivate: new Uint8Array(0), plannedPrivate: new Uint8Array(0), private: new Uint8Array(0) };
    const common = { typeName, providerMeta, ...bytes };
    await provider.planResourceChange({ ...common, priorState: none, proposedNewState: a, config: a });
    await provider.planResourceChange({ ...common, priorState: a, proposedNewState: none, config: none });
    await provider.applyResourceChange({ ...common, priorState: none, plannedState: a, config: a });
    await provider.applyResourceChange({ ...common, priorState: a, plannedState: b, config: b });
    await provider.applyResourceChange({ ...common, priorState: a, plannedState: none, config: none });
    await provider.readResource({ ...common, currentState: a });
    const { block: found } = schema.dataSources.get("office_room")!;
    const readRoom = async (meta: Data | undefined): Promise<readonly string[]> => {
      const config = configOf(found, { name: "a" });
      const given = meta === undefined ? {} : { providerMeta: configOf(schema.providerMeta!.block, meta) };
      return texts((await provider.readDataSource({ typeName: "office_room", config, ...given })).diagnostics);
    };
    expect(await readRoom({ module: Unknown, stage: "topsecret" })).toEqual(["warning: stage (sensitive value): "]);
    expect(await readRoom(undefined)).toEqual(["warning: stage undefined: "]);
    expect(readings).toEqual([
      "plan: m",
      "planDestroy: m",
      "create: m",
      "update: m",
      "delete: m",
      "read: m",
      "data: unknown",
      "data: nothing",
    ]);
  });

  test("has no computed attributes, and must be declared by the provider", async ({ expect }) => {
    const wrong = moduleMeta({ a: attr.string({ computed: true }) });
    expect(() => defineProvider({ name: "p", version: "1.0.0", meta: wrong })).toThrow(
      "provider p, provider_meta: attribute a: the configuration of a module",
    );
    const without = defineProvider({ name: "office", version: "1.0.0" });
    const lone = without.dataSource("room", {
      schema: { name: attr.string({ required: true }) },
      read: ({ config, meta }) => (usage.read(meta), config),
    });
    const provider = createProvider(without.with([lone]));
    const { block } = (await provider.getProviderSchema({})).dataSources.get("office_room")!;
    const { diagnostics } = await provider.readDataSource({ typeName: "office_room", config: configOf(block, { name: "a" }) });
    expect(texts(diagnostics)).toEqual([expect.stringContaining("give defineProvider its meta")]);
  });
});
