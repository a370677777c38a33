// SPDX-License-Identifier: Apache-2.0
import { of, string, toJs } from "@tenon/cty";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider, type LaunchedProvider } from "@tenon/plugin-host";
import { callFunction, importObject, readObject, resourceType, validateConfig } from "@tenon/schema/lifecycle";
import { afterAll, beforeAll, test } from "vitest";
import { apply, configuration, destroy, plan, summaries } from "./go-provider.ts";

describePeer(["provider-time"], "a Go provider of protocol 5", ({ "provider-time": peer }) => {
  let provider: LaunchedProvider;
  beforeAll(async () => {
    provider = await launchProvider({ command: peer.path });
  });
  afterAll(async () => {
    await provider.close();
  });

  test("is called in its protocol version, over TLS with its certificate (pitfalls 5, 7 and 8)", ({ expect }) => {
    expect(provider).toMatchObject({ name: "terraform-provider-time", protocolVersion: 5 });
  });

  test("reports its schema", async ({ expect }) => {
    const schema = await provider.getProviderSchema({});
    expect([...schema.resources.keys()].sort()).toEqual(["time_offset", "time_rotating", "time_sleep", "time_static"]);
    expect([...schema.functions.keys()].sort()).toEqual(["duration_parse", "rfc3339_parse", "unix_timestamp_parse"]);
    expect(schema.resources.get("time_static")?.block.attributes["rfc3339"]).toMatchObject({
      type: string,
      optional: true,
      computed: true,
    });
  });

  test("creates, reads, changes and deletes a resource", async ({ expect }) => {
    const { provider: providerSchema } = await provider.getProviderSchema({});
    const config = configuration(providerSchema!);
    expect(await provider.validateProviderConfig({ config })).toEqual({ diagnostics: [] });
    expect(await provider.configureProvider({ terraformVersion: "1.12.6", config })).toEqual({ diagnostics: [] });
    const type = await resourceType(provider, "time_offset");

    const wrong = configuration(type.schema, { offset_days: 1n, base_rfc3339: "yesterday" });
    expect(summaries(await validateConfig(type, wrong))).not.toEqual([]);
    const weekLater = configuration(type.schema, { offset_days: 7n, base_rfc3339: "2026-01-02T03:04:05Z" });
    const planned = await plan(type, weekLater);
    expect(planned).toMatchObject({ action: "create" });

    const made = await apply(type, weekLater);
    expect(toJs(made.value)).toMatchObject({ id: "2026-01-02T03:04:05Z", rfc3339: "2026-01-09T03:04:05Z", day: 9, unix: 1767927845 });
    const read = await readObject(type, made);
    expect(read).toMatchObject({ diagnostics: [], drift: [] });
    expect((await plan(type, weekLater, read.object)).action).toBe("noOp");

    const changed = await apply(type, configuration(type.schema, { offset_days: 8n, base_rfc3339: "2026-01-02T03:04:05Z" }), read.object);
    expect(toJs(changed.value)).toMatchObject({ rfc3339: "2026-01-10T03:04:05Z" });
    const replacing = configuration(type.schema, { offset_days: 8n, triggers: { when: "changed" } });
    expect(await plan(type, replacing, changed)).toMatchObject({ action: "replace", reason: "cannotUpdate" });
    expect(await destroy(type, changed)).toBeUndefined();
  });

  test("imports a resource by its id", async ({ expect }) => {
    const type = await resourceType(provider, "time_static");
    const { object, diagnostics } = await importObject(type, { id: "2026-01-02T03:04:05Z" });
    expect(diagnostics).toEqual([]);
    expect(toJs(object!.value)).toMatchObject({ rfc3339: "2026-01-02T03:04:05Z", year: 2026 });
  });

  test("calls its functions", async ({ expect }) => {
    const { functions } = await provider.getProviderSchema({});
    const signature = functions.get("rfc3339_parse")!;
    const { result } = await callFunction(provider, "rfc3339_parse", signature, [of(string, "2026-01-02T03:04:05Z")]);
    expect(toJs(result!)).toMatchObject({ year: 2026, month: 1, day: 2, unix: 1767323045 });
    const { error } = await callFunction(provider, "rfc3339_parse", signature, [of(string, "yesterday")]);
    expect(error).toMatchObject({ functionArgument: 0, text: expect.stringContaining("yesterday") });
  });

  test("ends within its grace period when it is closed", async ({ expect }) => {
    const other = await launchProvider({ command: peer.path });
    await other.close();
    // A provider that has not ended within its grace period is killed.
    expect(await other.exited).toEqual({ code: 0, signal: null });
  });

  test("serves plaintext without AutoMTLS", async ({ expect }) => {
    await using plaintext = await launchProvider({ command: peer.path, autoMtls: false });
    expect((await plaintext.getProviderSchema({})).resources.size).toBe(4);
  });
});
