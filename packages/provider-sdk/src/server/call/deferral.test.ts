// SPDX-License-Identifier: Apache-2.0
import type { ClientCapabilities, Deferred, Diagnostic, Provider } from "@tenon/schema";
import { nullOf } from "@tenon/cty";
import { impliedType } from "@tenon/schema";
import { proposedNew } from "@tenon/schema/change";
import { describe, test } from "vitest";
import { configOf, toPlain, texts, Unknown, type Data } from "../../../test/resource-life.ts";
import { attr, createProvider, defineProvider, isUnknown, type ConfigureContext } from "../../index.ts";

const able: ClientCapabilities = { deferralAllowed: true, writeOnlyAttributesAllowed: true };
const unable: ClientCapabilities = { ...able, deferralAllowed: false };
const nothing = new Uint8Array(0);

function providerOf(configure: (context: ConfigureContext<object>) => undefined = () => undefined): Provider {
  const farm = defineProvider({ name: "farm", version: "1.0.0", configure });
  const schema = { of: attr.string({ required: true }), id: attr.string({ computed: true }), note: attr.string({ computed: true }) };
  const field = farm.resource("field", {
    schema,
    plan: ({ config, set, defer }) => {
      set({ note: "planned" });
      if (isUnknown(config.of)) defer("resourceConfigUnknown");
    },
    create: ({ planned }) => ({ of: planned.of, id: "1", note: "" }),
    read: ({ defer }) => defer("absentPrerequisite"),
    update: ({ state }) => state,
    delete: () => {},
    importState: ({ defer }) => defer("absentPrerequisite"),
  });
  const plain = farm.resource("plain", {
    schema: { of: attr.string({ required: true }) },
    create: ({ planned }) => planned,
    read: ({ state }) => state,
    update: ({ planned }) => planned,
    delete: () => {},
  });
  const found = { of: attr.string({ required: true }), it: attr.string({ computed: true }) };
  const source = farm.dataSource("source", { schema: found, read: ({ defer }) => defer("absentPrerequisite") });
  const token = farm.ephemeralResource("token", { schema: found, open: ({ defer }) => defer("absentPrerequisite") });
  const act = farm.action("act", { plan: ({ defer }) => defer("absentPrerequisite"), invoke: () => {} });
  return createProvider(farm.with([field, plain, source, token, act]));
}

interface DeferrableResponse {
  readonly diagnostics: readonly Diagnostic[];
  readonly deferred?: Deferred;
}

const configure = async (provider: Provider, clientCapabilities: ClientCapabilities): Promise<readonly string[]> =>
  texts(
    (
      await provider.configureProvider({
        terraformVersion: "1.14.0",
        config: configOf({ attributes: {}, blocks: {} } as never, {}),
        clientCapabilities,
      })
    ).diagnostics,
  );

async function plan(
  provider: Provider,
  typeName: string,
  data: Data,
  clientCapabilities: ClientCapabilities,
): ReturnType<Provider["planResourceChange"]> {
  const schema = (await provider.getProviderSchema({})).resources.get(typeName)!;
  const config = configOf(schema.block, data);
  const priorState = nullOf(impliedType(schema.block));
  const proposedNewState = proposedNew(schema.block, priorState, config);
  return provider.planResourceChange({ typeName, config, priorState, proposedNewState, priorPrivate: nothing, clientCapabilities });
}

describe("a handler that defers", () => {
  const calls: Readonly<Record<string, (provider: Provider, clientCapabilities: ClientCapabilities) => Promise<DeferrableResponse>>> = {
    read: async (provider, clientCapabilities) => {
      const { block } = (await provider.getProviderSchema({})).resources.get("farm_field")!;
      const currentState = configOf(block, { of: "a", id: "1", note: "" });
      return provider.readResource({ typeName: "farm_field", currentState, private: nothing, clientCapabilities });
    },
    import: (provider, clientCapabilities) => provider.importResourceState({ typeName: "farm_field", id: "1", clientCapabilities }),
    "data source": async (provider, clientCapabilities) => {
      const { block } = (await provider.getProviderSchema({})).dataSources.get("farm_source")!;
      return provider.readDataSource({ typeName: "farm_source", config: configOf(block, { of: "a" }), clientCapabilities });
    },
    open: async (provider, clientCapabilities) => {
      const { block } = (await provider.getProviderSchema({})).ephemeralResources.get("farm_token")!;
      return provider.openEphemeralResource({ typeName: "farm_token", config: configOf(block, { of: "a" }), clientCapabilities });
    },
    action: async (provider, clientCapabilities) => {
      const { block } = (await provider.getProviderSchema({})).actions.get("farm_act")!;
      return provider.planAction({ actionType: "farm_act", config: configOf(block, {}), clientCapabilities });
    },
  };

  test.for(Object.keys(calls))("%s: is deferred if the core supports it, and fails with the reason if not", async (name, { expect }) => {
    const provider = providerOf();
    await configure(provider, able);
    const { deferred, diagnostics } = await calls[name]!(provider, able);
    expect(deferred).toEqual({ reason: "absentPrerequisite" });
    expect(diagnostics).toEqual([]);
    const refused = await calls[name]!(provider, unable);
    expect(refused.deferred).toBeUndefined();
    expect(texts(refused.diagnostics)).toEqual([
      expect.stringContaining("must wait until something that it needs exists, and this run cannot defer it"),
    ]);
  });

  test("plan: keeps the values that it set before it deferred", async ({ expect }) => {
    const provider = providerOf();
    await configure(provider, able);
    const response = await plan(provider, "farm_field", { of: Unknown }, able);
    expect(response).toMatchObject({ deferred: { reason: "resourceConfigUnknown" }, diagnostics: [] });
    expect(toPlain(response.plannedState)).toEqual({ of: Unknown, id: Unknown, note: "planned" });
    expect((await plan(provider, "farm_field", { of: "a" }, able)).deferred).toBeUndefined();
    expect(texts((await plan(provider, "farm_field", { of: Unknown }, unable)).diagnostics)).toEqual([
      expect.stringContaining(
        "Cannot plan farm_field: The provider must wait until its configuration is known, and this run cannot defer it",
      ),
    ]);
  });

  test("configure: defers every call that needs the client", async ({ expect }) => {
    const provider = providerOf(({ defer }) => defer("absentPrerequisite"));
    expect(await configure(provider, able)).toEqual([]);
    const reason = { reason: "absentPrerequisite" };
    for (const name of Object.keys(calls)) expect((await calls[name]!(provider, able)).deferred, name).toEqual(reason);
    expect((await plan(provider, "farm_field", { of: "a" }, able)).deferred).toEqual(reason);
    expect((await plan(provider, "farm_plain", { of: "a" }, able)).deferred).toEqual(reason);
    expect(texts((await calls["read"]!(provider, unable)).diagnostics)).toEqual([
      expect.stringContaining("Provider not ready yet: Provider farm cannot read farm_field"),
    ]);
    const undeferrable = providerOf(({ defer }) => defer("absentPrerequisite"));
    expect(await configure(undeferrable, unable)).toEqual([
      expect.stringContaining("Cannot configure provider farm: The provider must wait until"),
    ]);
  });
});
