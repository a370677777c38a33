// SPDX-License-Identifier: Apache-2.0
import { openEphemeralResource, ephemeralResourceType } from "@tenon/schema/lifecycle";
import type { Provider } from "@tenon/schema";
import { describe, test } from "vitest";
import { configOf, toPlain, texts, type Data } from "../../../test/resource-life.ts";
import { attr, createProvider, defineProvider, type Schema } from "../../index.ts";
import type { EphemeralResourceDefinition } from "../../definition/index.ts";

const vault = defineProvider({ name: "vault", version: "1.0.0" });
const schema = { role: attr.string({ required: true }), token: attr.string({ computed: true, sensitive: true }) };

function providerOf(more: Partial<EphemeralResourceDefinition<undefined, typeof schema>> = {}): Provider {
  const token = vault.ephemeralResource("token", { schema, open: ({ config }) => ({ ...config, token: `t-${config.role}` }), ...more });
  return createProvider(vault.with([token]));
}

const config = async (provider: Provider, data: Data): Promise<ReturnType<typeof configOf>> =>
  configOf((await provider.getProviderSchema({})).ephemeralResources.get("vault_token")!.block, data);

describe("an ephemeral resource", () => {
  test("is opened, renewed with the private state of open, and closed", async ({ expect }) => {
    const events: string[] = [];
    const soon = new Date(Date.now() + 20);
    const provider = providerOf({
      open: ({ config, privateState, renewAt }) => {
        privateState.set("lease", 1);
        renewAt(soon);
        return { ...config, token: "t" };
      },
      renew: ({ privateState }) => {
        const lease = Number(privateState.get("lease"));
        events.push(`renewed lease ${lease}`);
        privateState.set("lease", lease + 1);
      },
      close: ({ privateState }) => void events.push(`closed lease ${String(privateState.get("lease"))}`),
    });
    const opened = await provider.openEphemeralResource({ typeName: "vault_token", config: await config(provider, { role: "a" }) });
    expect(toPlain(opened.result)).toEqual({ role: "a", token: "t" });
    expect(opened).toMatchObject({ renewAt: soon, diagnostics: [] });
    const renewed = await provider.renewEphemeralResource({ typeName: "vault_token", private: opened.private! });
    expect(renewed).toMatchObject({ diagnostics: [] });
    await provider.closeEphemeralResource({ typeName: "vault_token", private: renewed.private! });
    expect(events).toEqual(["renewed lease 1", "closed lease 2"]);
  });

  test("follows the rules of the cores", async ({ expect }) => {
    const provider = providerOf();
    const type = await ephemeralResourceType(provider, "vault_token");
    const { diagnostics, resource } = await openEphemeralResource(type, await config(provider, { role: "a" }));
    expect(texts(diagnostics)).toEqual([]);
    expect(resource).toBeDefined();
    await resource?.close();
    expect((await provider.getMetadata({})).ephemeralResources).toEqual(["vault_token"]);
  });

  test("reports a failed open, and renewAt without a renew handler", async ({ expect }) => {
    const failing = providerOf({
      open: () => {
        throw new Error("sealed");
      },
    });
    const open = async (provider: Provider): Promise<readonly string[]> =>
      texts((await provider.openEphemeralResource({ typeName: "vault_token", config: await config(provider, { role: "a" }) })).diagnostics);
    expect(await open(failing)).toEqual(["error: Cannot open vault_token: sealed"]);
    const forgetful = providerOf({
      open: ({ config, renewAt }) => {
        renewAt(new Date());
        return { ...config, token: "t" };
      },
    });
    expect(await open(forgetful)).toEqual([expect.stringContaining("this resource has no renew")]);
    expect(texts((await failing.renewEphemeralResource({ typeName: "vault_token" })).diagnostics)).toEqual([
      expect.stringContaining("This resource cannot be renewed"),
    ]);
    expect((await failing.closeEphemeralResource({ typeName: "vault_token" })).diagnostics).toEqual([]);
    const invalid = await failing.validateEphemeralResourceConfig({ typeName: "vault_token", config: await config(failing, {}) });
    expect(texts(invalid.diagnostics)).toEqual(["error: Missing required attribute: role is required, but not set."]);
  });

  test("has no defaults and no write-only attributes", ({ expect }) => {
    const define = (wrong: Schema): unknown => vault.ephemeralResource("x", { schema: wrong, open: () => ({}) });
    expect(() => define({ a: attr.string({ default: "x" }) })).toThrow("only a resource can have defaults");
    expect(() => define({ a: attr.string({ optional: true, writeOnly: true }) })).toThrow(
      "only a resource or an action can have write-only attributes",
    );
  });
});
