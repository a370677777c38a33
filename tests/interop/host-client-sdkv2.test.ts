// SPDX-License-Identifier: Apache-2.0
// Compares the client with OpenTofu for the same configurations of a provider on terraform-plugin-sdk/v2: the legacy type system,
// blocks, timeouts, and flatmap states.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider, openProvider, unknownValue } from "@tenon/plugin-host";
import { toJs, type Value } from "@tenon/cty";
import { afterAll, beforeAll, test, vi } from "vitest";
import { CliWorkspace } from "./cli-workspace.ts";
import { type Config, leadBoth, type Life } from "./shared-life.ts";

// Each step starts real processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const server = {
  name: "Web",
  image: "linux",
  cores: 4,
  load: 0.5,
  running: true,
  password: "hunter2",
  commands: ["a", "b"],
  groups: ["y", "x"],
  labels: { k: "v" },
  disk: [
    { gigabytes: 10, mount: [{ path: "/b" }, { path: "/a", readonly: true }] },
    { gigabytes: 20, kind: "hdd" },
  ],
  rule: [{ port: 80 }, { port: 53, protocol: "udp" }],
  contact: [{ mail: "a@b" }],
  timeouts: { create: "20s" },
};

const configs = (...stages: readonly Config[]): Life["stages"] => stages.map((config) => ({ config }));

const lives: Readonly<Record<string, Life>> = {
  "with everything set, changed, and replaced": {
    typeName: "sdkv2_server",
    stages: configs(
      server,
      server,
      // The provider ignores the case of names.
      { ...server, name: "WEB", groups: ["x"], rule: [{ port: 80 }, { port: 443 }], disk: [{ gigabytes: 30 }], size: "big" },
      { ...server, name: "WEB", size: "big", zone: "eu-9", contact: [], labels: null, running: false, cores: 0 },
      { ...server, size: "small" },
      { ...server, image: "bsd", commands: [] },
    ),
  },
  "with required attributes only": {
    typeName: "sdkv2_server",
    stages: configs({ name: "n", image: "i" }, { name: "n", image: "i" }, { name: "n", image: "i", load: 0 }),
  },
  "with attributes written as blocks": {
    typeName: "sdkv2_server",
    stages: configs(
      { name: "r", image: "i", route: [{ to: "a" }, { to: "b" }] },
      { name: "r", image: "i", route: [{ to: "b" }] },
      { name: "r", image: "i", route: [] },
      { name: "r", image: "i" },
    ),
  },
  "with parts known only after apply": {
    typeName: "sdkv2_server",
    stages: [
      { config: { name: "u", image: "i", zone: unknownValue, commands: ["a", unknownValue], groups: [unknownValue] }, later: "z" },
      {
        config: { name: "u", image: "i", labels: { k: unknownValue }, disk: [{ gigabytes: 1, mount: [{ path: unknownValue }] }] },
        later: "y",
      },
      { config: { name: "u", image: unknownValue }, later: "other" },
    ],
  },
  "changed and removed outside of the provider": {
    typeName: "sdkv2_server",
    stages: [
      { config: { name: "d", image: "i", cores: 2, labels: { k: "v" } } },
      {
        config: { name: "d", image: "i", cores: 2, labels: { k: "v" } },
        meanwhile: ({ directory }) => {
          const file = join(String(directory), "server-d.json");
          writeFileSync(file, readFileSync(file, "utf8").replace('"cores": 2', '"cores": 8').replace('"v"', '"w"'));
        },
      },
      { config: { name: "d", image: "i" }, meanwhile: ({ directory }) => rmSync(join(String(directory), "server-d.json")) },
    ],
  },
  "imported, with its timeouts": {
    typeName: "sdkv2_server",
    stages: [
      {
        config: { name: "a", image: "i", cores: 3, timeouts: { create: "5s", delete: "4s" } },
        meanwhile: ({ directory }) => {
          mkdirSync(String(directory), { recursive: true });
          const object = { revision: 4, name: "a", image: "i", size: "small", cores: 2, zone: "eu-1", address: "10.0.0.8 (eu-1)" };
          writeFileSync(join(String(directory), "server-a.json"), JSON.stringify(object));
        },
        imports: "server-a",
      },
      { config: { name: "a", image: "i", cores: 3 } },
    ],
  },
  "tainted by a failed create, and replaced": {
    typeName: "sdkv2_server",
    stages: [
      { config: { name: "h", image: "half" }, fails: true },
      { config: { name: "h", image: "whole", size: "big", cores: 4 } },
      // The update fails, and the state stays the prior state.
      { config: { name: "h", image: "whole", size: "big", cores: 13 }, fails: true },
      { config: { name: "h", image: "whole", size: "small", cores: 13 } },
    ],
  },
  "side create exceeds its timeout": {
    typeName: "sdkv2_server",
    stages: [{ config: { name: "s", image: "slow", timeouts: { create: "50ms" } }, fails: true }, { config: { name: "s", image: "fast" } }],
  },
  "without an update": {
    typeName: "sdkv2_note",
    stages: configs({ text: "a", secret: "s" }, { text: "b", secret: "s" }, { text: "b" }),
  },
};

describePeer(["tofu", "sdkv2-provider"], "a provider on terraform-plugin-sdk/v2", (peers) => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "sdkv2-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = peers["sdkv2-provider"].path;

  test.for(Object.entries(lives).map(([title, life], index) => ({ title, life, index })))(
    "has the same lifecycle under our client and tofu, for a resource $title",
    async ({ life, index }, { expect }) => {
      const [ours, theirs] = ["ours", "theirs"].map((side) => ({ directory: join(folder, `${index}-${side}`) }));
      await leadBoth({ tofu: peers.tofu.path, provider: path, name: "sdkv2", life, ours: ours!, theirs: theirs!, expect });
      for (const { directory } of [ours!, theirs!]) expect(readdirSync(directory)).toEqual([]);
    },
  );

  test("ends a create at its timeout, and reports a partial object as tainted", async ({ expect }) => {
    await using client = await openProvider(path, { config: { directory: join(folder, "timeouts") } });
    const servers = client.resource("sdkv2_server");
    await expect(servers.create({ name: "a", image: "slow", timeouts: { create: "50ms" } })).rejects.toThrow("it took longer than 50ms");
    const half = servers.create({ name: "b", image: "half" });
    await expect(half).rejects.toMatchObject({ remaining: { status: "tainted", state: { id: "server-b" } } });
  });

  test.for([
    [
      0,
      {
        title: "old",
        image: "i",
        id: "server-old",
        cores: "4",
        "commands.#": "2",
        "commands.0": "x",
        "commands.1": "y",
        "labels.%": "1",
        "labels.k": "v",
      },
    ],
    [
      1,
      {
        name: "old",
        image: "i",
        id: "server-old",
        cores: "4",
        "commands.#": "2",
        "commands.0": "x",
        "commands.1": "y",
        "labels.%": "1",
        "labels.k": "v",
      },
    ],
  ] as const)("upgrades a flatmap state of version %i to the same state as under tofu", async ([version, flatmap], { expect }) => {
    const directory = join(folder, `flatmap-${version}`);
    await using provider = await launchProvider({ command: [path], name: "sdkv2" });
    const { upgradedState } = await provider.upgradeResourceState({ typeName: "sdkv2_server", version, rawState: { flatmap } });
    const state = toJs(upgradedState as Value<never>) as Readonly<Record<string, unknown>>;
    expect(state).toMatchObject({ id: "server-old", name: "old", cores: 4, commands: ["x", "y"], labels: { k: "v" } });

    const source = "example.com/tenon/sdkv2";
    using workspace = new CliWorkspace(peers.tofu.path, { kind: "devOverrides", source, folder: dirname(path) });
    workspace.write({
      "main.tf.json": JSON.stringify({
        terraform: { required_providers: { sdkv2: { source } } },
        provider: { sdkv2: { directory } },
        resource: { sdkv2_server: { it: { name: "old", image: "i", cores: 4, commands: ["x", "y"], labels: { k: "v" } } } },
      }),
      "terraform.tfstate": JSON.stringify({
        version: 4,
        terraform_version: "1.12.0",
        serial: 1,
        lineage: "l",
        outputs: {},
        resources: [
          {
            mode: "managed",
            type: "sdkv2_server",
            name: "it",
            provider: `provider["${source}"]`,
            instances: [{ schema_version: version, attributes_flat: flatmap }],
          },
        ],
      }),
    });
    const [change] = (await workspace.plan("-refresh=false")).resource_changes ?? [];
    expect(JSON.parse(JSON.stringify(state))).toEqual(change?.change.before);
  });

  test("reports errors of configurations and warnings of deprecated attributes", async ({ expect }) => {
    const config = { directory: join(folder, "wrong") };
    await expect(openProvider(path, { config: { ...config, region: "nowhere" } })).rejects.toThrow("there is no region nowhere");
    await using client = await openProvider(path, { config });
    const servers = client.resource("sdkv2_server");
    await expect(servers.create({ name: "a", image: "i", password: "p", key: "k" })).rejects.toThrow(/conflicts with/i);
    await expect(servers.create({ name: "a", image: "i", size: "huge" })).rejects.toThrow(/size/);
    const made = await servers.create({ name: "a", image: "i", key: "k" });
    expect(made.warnings.map(({ summary }) => summary)).toEqual(expect.arrayContaining(["Keys are weak"]));
    const found = await client.data("sdkv2_servers", {});
    expect(found).toMatchObject({ ids: ["server-a"] });
    const imported = await servers.import("server-a");
    expect(imported.state).toMatchObject({ name: "a", image: "i", key: "k" });
    await servers.delete(made);
  });
});
