// SPDX-License-Identifier: Apache-2.0
// The client and OpenTofu have the same plans and states for the same configurations of Go providers.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { openProvider, unknownValue } from "@tenon/plugin-host";
import { afterAll, test, vi } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";
import { addForeignRecord, changeOnlyRecord, foreignRecordId, fullRecord } from "./framework-records.ts";
import { type Config, leadBoth, type Life } from "./shared-life.ts";

// Each step starts real processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const base = "2026-01-02T03:04:05Z";
const long = "9000-01-02T03:04:05Z";
const configs = (...stages: readonly Config[]): Life["stages"] => stages.map((config) => ({ config }));

const timeLives: Readonly<Record<string, Life>> = {
  "of time_offset": {
    typeName: "time_offset",
    stages: [
      { config: { base_rfc3339: base, offset_days: 7 } },
      { config: { base_rfc3339: base, offset_days: 7 } },
      { config: { base_rfc3339: base, offset_months: -3, offset_hours: 1 } },
      { config: { base_rfc3339: base, offset_months: -3, triggers: { release: unknownValue } }, later: "2" },
      { config: { base_rfc3339: "2027-01-01T00:00:00Z", offset_months: -3, triggers: { release: "2" } } },
    ],
  },
  "of time_static with the current time, replaced by another trigger": {
    typeName: "time_static",
    stages: configs({}, { triggers: { release: "1" } }, { rfc3339: base, triggers: { release: "1" } }, { rfc3339: base }),
    momentary: ["id", "rfc3339", "year", "month", "day", "hour", "minute", "second", "unix"],
  },
  "of time_static, imported": {
    typeName: "time_static",
    stages: [{ config: { rfc3339: base }, imports: base }, { config: { rfc3339: "2027-01-02T03:04:05Z" } }],
  },
  "of time_rotating, which is absent after its rotation time": {
    typeName: "time_rotating",
    stages: configs(
      { rfc3339: long, rotation_days: 7 },
      { rfc3339: long, rotation_months: 2, triggers: { release: "1" } },
      { rfc3339: base, rotation_minutes: 3 },
      { rfc3339: long, rotation_years: 1 },
    ),
  },
  "of time_rotating, imported": {
    typeName: "time_rotating",
    stages: [{ config: { rfc3339: long, rotation_days: 30 }, imports: `${long},0,0,30,0,0` }],
  },
  "of time_sleep": {
    typeName: "time_sleep",
    stages: configs(
      { create_duration: "5ms", triggers: { release: "1" } },
      { create_duration: "5ms", destroy_duration: "1ms", triggers: { release: "1" } },
      { create_duration: "1ms", triggers: { release: "2" } },
    ),
    momentary: ["id"],
  },
};

const record = { ...fullRecord, secret: "hunter2" };

const frameworkLives: Readonly<Record<string, Life>> = {
  "of framework_record": {
    typeName: "framework_record",
    stages: configs(
      record,
      record,
      { ...record, tags: ["b"], rule: [{ port: 443 }], secret: null, caseless: "abc", entries: { two: { key: "f" } }, limits: {} },
      { ...record, items: [{ key: "new" }, ...record.items], members: [], password: "p", password_version: 1 },
      { ...record, kind: "special", precise: 0.1 },
    ),
  },
  "of framework_record with parts known only after apply": {
    typeName: "framework_record",
    stages: [
      {
        config: { name: "late", tags: ["a", unknownValue], items: [{ key: unknownValue }], rule: [{ port: 1, comment: unknownValue }] },
        later: "k",
      },
      {
        config: { name: unknownValue, notes: { k: unknownValue }, members: [{ key: "m", value: unknownValue }], kind: unknownValue },
        later: "l",
      },
    ],
  },
  "of framework_record, changed and removed outside of the provider": {
    typeName: "framework_record",
    stages: [
      { config: { name: "shared", tags: ["a"], flag: true } },
      {
        config: { name: "shared", tags: ["a"], flag: true },
        meanwhile: ({ directory }) =>
          changeOnlyRecord(String(directory), (text) => text.replace('"shared"', '"taken over"').replace('"a"', '"z"')),
      },
      { config: { name: "shared" }, meanwhile: ({ directory }) => changeOnlyRecord(String(directory), () => undefined) },
    ],
  },
  "of framework_record, imported": {
    typeName: "framework_record",
    stages: [
      {
        config: { name: "adopted", tags: ["new"] },
        meanwhile: ({ directory }) => addForeignRecord(String(directory)),
        imports: foreignRecordId,
      },
      { config: { name: "adopted", tags: ["new"] } },
    ],
  },
  "of framework_trouble, tainted by a failed create": {
    typeName: "framework_trouble",
    stages: [
      { config: { name: "half", mode: "half" }, fails: true },
      { config: { name: "half", mode: "none" } },
      { config: { name: "whole", mode: "none", seconds: 1.5 } },
      { config: { name: "whole", mode: "error" }, fails: true },
      { config: { name: "whole", mode: "warn" } },
    ],
  },
};

describePeer(["tofu", "provider-time"], "the client and tofu, with the time provider,", (peers) => {
  test.for(Object.entries(timeLives))("have the same lifecycle %s", ([, life], { expect }) =>
    leadBoth({ tofu: peers.tofu.path, provider: peers["provider-time"].path, name: "time", life, ours: {}, theirs: {}, expect }),
  );

  test("return the same results of functions", async ({ expect }) => {
    const path = peers["provider-time"].path;
    const calls = [
      ["rfc3339_parse", "2026-01-02T03:04:05+02:00"],
      ["unix_timestamp_parse", 1_767_323_045],
      ["duration_parse", "1h2m3.5s"],
    ] as const;
    await using client = await openProvider(path);
    const source = "example.com/tenon/time";
    using workspace = new CliWorkspace(peers.tofu.path, { kind: "devOverrides", source, folder: dirname(path) });
    const output = Object.fromEntries(
      calls.map(([name, argument]) => [name, { value: `\${provider::time::${name}(${JSON.stringify(argument)})}` }]),
    );
    workspace.write({ "main.tf.json": JSON.stringify({ terraform: { required_providers: { time: { source } } }, output }) });
    await workspace.apply();
    const outputs = (await workspace.state()).values?.outputs ?? {};
    for (const [name, argument] of calls) expect(await client.function(name, argument), name).toEqual(outputs[name]?.value);
  });
});

describePeer(["tofu", "framework-provider"], "the client and tofu, with a provider on the framework,", (peers) => {
  const folder = mkdtempSync(join(tmpdir(), "host-client-tofu-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = peers["framework-provider"].path;

  test.for(Object.entries(frameworkLives).map(([title, life], index) => ({ title, life, index })))(
    "have the same lifecycle $title",
    ({ life, index }, { expect }) => {
      const [ours, theirs] = ["ours", "theirs"].map((side) => ({ directory: join(folder, `${index}-${side}`) }));
      return leadBoth({ tofu: peers.tofu.path, provider: path, name: "framework", life, ours: ours!, theirs: theirs!, expect });
    },
  );

  test("return the same results of data sources and functions", async ({ expect }) => {
    const directory = join(folder, "read");
    await using client = await openProvider(path, { config: { directory } });
    const { state } = await client.resource("framework_record").create({ name: "read", tags: ["a"], secret: "hunter2" });
    const calls: Readonly<Record<string, readonly [string, ...unknown[]]>> = {
      joined: ["join", "-", "a", "b"],
      described: ["describe", { name: "box", size: 3 }, "red"],
      anything: ["dynamic", { any: [1, true, null] }],
    };
    const source = "example.com/tenon/framework";
    using workspace = new CliWorkspace(peers.tofu.path, { kind: "devOverrides", source, folder: dirname(path) });
    const argumentsOf = (args: readonly unknown[]): string =>
      args.map((argument) => `jsondecode(${JSON.stringify(JSON.stringify(argument))})`).join(", ");
    workspace.write({
      "main.tf.json": JSON.stringify({
        terraform: { required_providers: { framework: { source } } },
        provider: { framework: { directory } },
        data: { framework_lookup: { it: { id: state["id"] } } },
        output: {
          found: { value: "${data.framework_lookup.it}", sensitive: true },
          ...Object.fromEntries(
            Object.entries(calls).map(([name, [called, ...args]]) => [
              name,
              { value: `\${provider::framework::${called}(${argumentsOf(args)})}` },
            ]),
          ),
        },
      }),
    });
    await workspace.apply();
    const outputs = (await workspace.state()).values?.outputs ?? {};
    expect(await client.data("framework_lookup", { id: state["id"] })).toEqual(outputs["found"]?.value);
    for (const [name, [called, ...args]] of Object.entries(calls)) {
      expect(await client.function(called, ...args), name).toEqual(outputs[name]?.value);
    }
  });
});
