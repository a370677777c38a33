// SPDX-License-Identifier: Apache-2.0
import { inspect } from "node:util";
import { describePeer } from "@tenon/peers/vitest";
import { number, of, string } from "@tenon/cty";
import { isUnknown, openProvider, PluginHostError, unknownValue, type ProviderClient } from "@tenon/plugin-host";
import { afterAll, beforeAll, test } from "vitest";

describePeer(["provider-time"], "the client of a Go provider of protocol 5", ({ "provider-time": peer }) => {
  let time: ProviderClient;
  beforeAll(async () => {
    time = await openProvider(peer.path);
  });
  afterAll(async () => {
    await time.close();
  });
  const moment = "2026-01-02T03:04:05Z";

  test("creates, reads, changes, stores and deletes a resource", async ({ expect }) => {
    const offsets = time.resource("time_offset");
    const made = await offsets.create({ offset_days: 7, base_rfc3339: moment });
    expect(made.state).toMatchObject({ id: moment, rfc3339: "2026-01-09T03:04:05Z", day: 9, unix: 1767927845, triggers: null });
    expect(made).toMatchObject({ typeName: "time_offset", status: "ready", identity: undefined, warnings: [] });

    const read = await offsets.read(made);
    expect(read?.state).toEqual(made.state);
    expect(await offsets.update(read!, { offset_days: 7, base_rfc3339: moment })).toBe(read);

    // A cty value of another type is converted as in HCL.
    const changed = await offsets.update(read!, { offset_days: of(string, "8"), base_rfc3339: moment });
    expect(changed.state).toMatchObject({ rfc3339: "2026-01-10T03:04:05Z", offset_days: 8 });
    expect(made.state["offset_days"]).toBe(7);

    const kept: unknown = JSON.parse(JSON.stringify(changed));
    const again = await offsets.fromJson(kept as ReturnType<typeof changed.toJSON>);
    expect(again.toJSON()).toEqual(changed.toJSON());
    expect((await offsets.plan({ offset_days: 8, base_rfc3339: moment }, { prior: again })).action).toBe("noOp");
    await offsets.delete(again);
  });

  test("plans a create and a replacement, with the values that are unknown until apply", async ({ expect }) => {
    const statics = time.resource("time_static");
    const plan = await statics.plan({ triggers: { release: "1" } });
    expect(plan).toMatchObject({ action: "create", before: null, requiresReplace: [], warnings: [], reason: undefined });
    expect(isUnknown(plan.after?.["rfc3339"])).toBe(true);
    expect(plan.after?.["triggers"]).toEqual({ release: "1" });
    expect(plan.unknown).toContain("rfc3339");
    expect(String(plan)).toContain("# time_static will be created");
    expect(String(plan)).toMatch(/\+ rfc3339 += \(known after apply\)/);
    expect(inspect(plan)).toBe(String(plan));
    const made = (await plan.apply())!;
    expect(made.state["triggers"]).toEqual({ release: "1" });

    const replacing = await statics.plan({ triggers: { release: "2" } }, { prior: made, address: "time_static.release" });
    expect(replacing).toMatchObject({ action: "replace", reason: "cannotUpdate", requiresReplace: ["rfc3339", "triggers"] });
    expect(String(replacing)).toContain("# time_static.release must be replaced");
    await expect(statics.update(made, { triggers: { release: "2" } }, { replace: false })).rejects.toMatchObject({
      code: "REPLACEMENT_REQUIRED",
    });
    const steps: (string | undefined)[] = [];
    const replaced = await statics.update(
      made,
      { triggers: { release: "2" } },
      { onObject: (handle) => void steps.push(handle?.typeName) },
    );
    expect(steps).toEqual([undefined, "time_static"]);
    expect((await statics.planDelete(replaced)).action).toBe("delete");
  });

  test("plans with unknown values, and applies with known ones", async ({ expect }) => {
    const statics = time.resource("time_static");
    const plan = await statics.plan({ triggers: { of: unknownValue } });
    expect(plan.after?.["triggers"]).toEqual({ of: unknownValue });
    await expect(plan.apply()).rejects.toMatchObject({ code: "INVALID_CONFIG", message: expect.stringContaining("not known yet") });
    const made = await plan.apply({ triggers: { of: "another" } });
    expect(made?.state["triggers"]).toEqual({ of: "another" });
    await expect(statics.create({ triggers: unknownValue })).rejects.toMatchObject({ code: "INVALID_CONFIG" });
  });

  test("imports a resource by its id", async ({ expect }) => {
    expect((await time.resource("time_static").import(moment)).state).toMatchObject({ rfc3339: moment, year: 2026 });
    await expect(time.resource("time_static").import("yesterday")).rejects.toMatchObject({
      code: "DIAGNOSTICS",
      message: expect.stringMatching(/^import of time_static failed: /),
    });
    await expect(time.resource("time_static").import({ identity: {} })).rejects.toMatchObject({ code: "INVALID_CONFIG" });
  });

  test("calls functions", async ({ expect }) => {
    expect(await time.function("rfc3339_parse", moment)).toMatchObject({ year: 2026, unix: 1767323045 });
    expect(await time.function("unix_timestamp_parse", of(number, 0))).toMatchObject({ year: 1970 });
    await expect(time.function("rfc3339_parse", "yesterday")).rejects.toMatchObject({
      code: "DIAGNOSTICS",
      message: expect.stringContaining("argument 1 (timestamp): "),
    });
    await expect(time.function("rfc3339_parse", 5)).rejects.toMatchObject({
      code: "INVALID_CONFIG",
      message: "argument 1 (timestamp) of function rfc3339_parse: a string is required, not a number",
    });
    await expect(time.function("rfc3339_parse", unknownValue)).rejects.toMatchObject({ code: "INVALID_CONFIG" });
    await expect(time.function("rfc3339_parse")).rejects.toMatchObject({ code: "DIAGNOSTICS" });
    await expect(time.function("rfc3339_parse", "a", "b")).rejects.toMatchObject({ code: "INVALID_CONFIG" });
  });

  test("rejects a configuration that the schema or the provider does not allow", async ({ expect }) => {
    const offsets = time.resource("time_offset");
    const refused = offsets.create({ offset_days: 1, base_rfc3339: "yesterday" });
    await expect(refused).rejects.toBeInstanceOf(PluginHostError);
    await expect(refused).rejects.toMatchObject({ code: "DIAGNOSTICS", diagnostics: [{ severity: "error" }], remaining: undefined });
    const wrong = (config: Record<string, unknown>): Promise<unknown> =>
      offsets.create(config).catch((error: PluginHostError) => error.message);
    expect(await wrong({ day: 3 })).toBe("time_offset at day: is set by the provider, and cannot be configured: leave it out");
    expect(await wrong({ offset_days: "7" })).toBe("time_offset at offset_days: a number is required, not a string");
    expect(await wrong({ ofset_days: 7 })).toMatch(
      /^time_offset at ofset_days: is not an attribute or block; valid names are base_rfc3339, /,
    );
    expect(() => time.resource("time_ofset")).toThrow(
      expect.objectContaining({
        code: "NOT_OFFERED",
        message: 'terraform-provider-time has no managed resource "time_ofset"; it has time_offset, time_rotating, time_sleep, time_static',
      }),
    );
    await expect(time.data("time_static", {})).rejects.toMatchObject({
      code: "NOT_OFFERED",
      message: expect.stringContaining("it has none"),
    });
    const release = await time.resource("time_static").create({});
    await expect(offsets.read(release)).rejects.toMatchObject({ code: "INVALID_CONFIG" });
    await expect(offsets.fromJson(release.toJSON())).rejects.toMatchObject({ code: "INVALID_CONFIG" });
  });
});
