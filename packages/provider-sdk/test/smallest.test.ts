// SPDX-License-Identifier: Apache-2.0
import { test } from "vitest";
import { attr, defineProvider, importById, type ProviderDefinition, type Resource, type ServedProvider } from "../src/index.ts";
import { startLife } from "./resource-life.ts";

const counter: ProviderDefinition<Map<string, number>> = defineProvider({
  name: "counter",
  version: "1.0.0",
  configure: () => new Map<string, number>(),
});
const count: Resource<Map<string, number>> = counter.resource("count", {
  schema: { name: attr.string({ required: true }), value: attr.number({ default: 0 }), doubled: attr.number({ computed: true }) },
  create: ({ planned, client }) => {
    client.set(planned.name, planned.value);
    return { ...planned, doubled: 2 * planned.value };
  },
  read: ({ state: { name }, client }) => {
    const value = client.get(name);
    return value === undefined ? undefined : { name, value, doubled: 2 * value };
  },
  update: ({ planned, client }) => {
    client.set(planned.name, planned.value);
    return { ...planned, doubled: 2 * planned.value };
  },
  delete: ({ state, client }) => void client.delete(state.name),
  importState: importById("name"),
});
const provider: ServedProvider = counter.with([count]);

test("a minimal provider creates, updates, imports and destroys a resource", async ({ expect }) => {
  const life = await startLife(provider, "counter_count");
  await life.apply({ name: "a", value: 4 });
  await life.apply({ name: "a" });
  expect(life.state()).toEqual({ name: "a", value: 0, doubled: 0 });
  await life.import("a");
  expect((await life.plan({ name: "a" })).planned?.action).toBe("noOp");
  await life.destroy();
  expect(life.object).toBeUndefined();
});
