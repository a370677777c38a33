// SPDX-License-Identifier: Apache-2.0
import { string } from "@tenon/cty";
import { createAttribute, createSchema, type CallName, type GetProviderSchemaResponse } from "@tenon/schema";
import { describe, test } from "vitest";
import { safe, smallProvider } from "../../test/fixtures/small-provider.ts";
import { mayHaveSecrets } from "./message-secrets.ts";

const open = createSchema({ attributes: { name: createAttribute({ type: string, optional: true }) } });

/** A schema whose types `safe` have secrets, and whose types `open` have none. */
async function schemaWith(changes: Partial<GetProviderSchemaResponse> = {}): Promise<GetProviderSchemaResponse> {
  const schema = await smallProvider({}).getProviderSchema({});
  const types = new Map([
    ["safe", safe],
    ["open", open],
  ]);
  return {
    ...schema,
    resources: types,
    dataSources: types,
    ephemeralResources: types,
    listResources: types,
    stateStores: types,
    ...changes,
  };
}

describe("mayHaveSecrets", () => {
  test.for<readonly [CallName, object, boolean]>([
    ["planResourceChange", { typeName: "safe" }, true],
    ["planResourceChange", { typeName: "open" }, false],
    ["upgradeResourceState", { typeName: "open" }, false],
    ["readDataSource", { typeName: "open" }, false],
    ["planResourceChange", { typeName: "unknown" }, true],
    ["importResourceState", { typeName: "open" }, true],
    ["moveResourceState", { targetTypeName: "open" }, true],
    ["listResource", { typeName: "open" }, true],
    ["openEphemeralResource", { typeName: "open" }, true],
    ["readStateBytes", { typeName: "open" }, true],
    ["configureProvider", {}, true],
    ["getMetadata", {}, false],
  ])("of %s for %o is %s", async ([method, request, expected], { expect }) => {
    expect(mayHaveSecrets(method, request, await schemaWith())).toBe(expected);
  });

  test("holds for each call that has values before the schema is known", ({ expect }) => {
    expect(mayHaveSecrets("planResourceChange", { typeName: "open" }, undefined)).toBe(true);
    expect(mayHaveSecrets("getMetadata", {}, undefined)).toBe(false);
  });

  test("holds for a request with a provider_meta that has secrets", async ({ expect }) => {
    const request = { typeName: "open", providerMeta: undefined };
    expect(mayHaveSecrets("planResourceChange", request, await schemaWith({ providerMeta: safe }))).toBe(true);
    expect(mayHaveSecrets("planResourceChange", request, await schemaWith({ providerMeta: open }))).toBe(false);
  });

  test("does not hold for the configuration of a provider without secrets", async ({ expect }) => {
    expect(mayHaveSecrets("configureProvider", {}, await schemaWith({ provider: open }))).toBe(false);
  });
});
