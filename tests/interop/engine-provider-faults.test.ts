// SPDX-License-Identifier: Apache-2.0
// Launched providers that end, hang or fail during an apply of the engine.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWorkspace, type EngineEvent, type Workspace } from "@tenon/engine";
import { formatResourceInstanceObject } from "@tenon/engine/address";
import { objectFiles } from "@tenon/engine/configuration";
import { memoryState } from "@tenon/engine/state/stores";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider, type LaunchedProvider, type LaunchOptions } from "@tenon/plugin-host";
import { afterAll, beforeAll, describe, onTestFinished, test } from "vitest";
import { isFrameworkCreate, LogWatcher } from "./log-watcher.ts";
import { packageExample, type PackagedProvider } from "./packaged-provider.ts";

/** A workspace with a launched provider, and all processes of the provider that were launched. */
class Launched {
  readonly folder = mkdtempSync(join(tmpdir(), "tenon-engine-faults-"));
  readonly log = new LogWatcher();
  readonly providers: LaunchedProvider[] = [];
  readonly workspace: Workspace;

  constructor(source: string, configuration: (folder: string) => string, options: LaunchOptions) {
    onTestFinished(() => rmSync(this.folder, { recursive: true }));
    const objects = join(this.folder, "objects");
    this.workspace = openWorkspace({
      configuration: objectFiles({ "main.tf": configuration(objects) }),
      state: memoryState(),
      journal: join(this.folder, "journal"),
      providers: {
        [source]: async (given) => {
          const provider = await launchProvider({ ...options, onLog: this.log.onLog, logLevel: "trace", ...given });
          this.providers.push(provider);
          return provider;
        },
      },
    });
  }

  /** Addresses of the objects in the state. */
  async recorded(): Promise<readonly string[]> {
    return [...(await this.workspace.state()).resources.keys()].sort();
  }

  /** The interrupted changes that the next plan reports: action and address. */
  async reported(): Promise<readonly string[]> {
    const events: EngineEvent[] = [];
    await (await this.workspace.plan({ onEvent: (event) => void events.push(event) })).close();
    const changes = events.flatMap((event) => (event.type === "changeInterrupted" ? [event.change] : []));
    return changes.map(({ address, action }) => `${action} ${formatResourceInstanceObject(address)}`).sort();
  }

  /** The processes that are still running. */
  async running(): Promise<readonly number[]> {
    await Promise.all(this.providers.map(({ exited }) => exited));
    return this.providers.flatMap(({ pid }) => {
      try {
        process.kill(pid, 0);
        return [pid];
      } catch {
        return [];
      }
    });
  }
}

describePeer(["framework-provider"], "an apply with a launched Go provider", ({ "framework-provider": peer }) => {
  /** `first` is created before `second`, which fails as the mode says. */
  const open = (mode: string): Launched =>
    new Launched(
      "tenon/framework",
      (objects) => `
terraform {
  required_providers {
    framework = { source = "tenon/framework" }
  }
}
provider "framework" {
  directory = ${JSON.stringify(objects)}
}
resource "framework_trouble" "first" {
  name = "first"
  mode = "none"
}
resource "framework_trouble" "second" {
  name = "second of \${framework_trouble.first.id}"
  mode = "${mode}"
}
`,
      { command: peer.path },
    );

  test.for(["exit", "panic"])(
    "keeps the created object when the process ends by %s, and reports the call without a response",
    async (mode, { expect }) => {
      const launched = open(mode);
      const { errored, diagnostics } = await (await launched.workspace.plan()).apply();
      expect(errored).toBe(true);
      expect(diagnostics.map(({ summary, address }) => [summary, address])).toEqual([["Provider call failed", "framework_trouble.second"]]);
      expect(await launched.recorded()).toEqual(["framework_trouble.first"]);
      expect(await launched.reported()).toEqual(["create framework_trouble.second"]);
      expect(await launched.running()).toEqual([]);
    },
  );

  test("saves a partly created object as tainted", async ({ expect }) => {
    const launched = open("half");
    const { errored } = await (await launched.workspace.plan()).apply();
    expect(errored).toBe(true);
    const { resources } = await launched.workspace.state();
    const status = [...resources].map(([address, { instances }]) => `${address} ${[...instances.values()][0]?.current?.status}`);
    expect(status.sort()).toEqual(["framework_trouble.first ready", "framework_trouble.second tainted"]);
    expect(await launched.reported()).toEqual([]);
    expect(await launched.running()).toEqual([]);
  });

  test("ends a call that hangs by stop(), which asks the provider to stop", async ({ expect }) => {
    const launched = open("hang");
    const plan = await launched.workspace.plan();
    const applied = plan.apply();
    await launched.log.waitFor(isFrameworkCreate, 2);
    await plan.stop();
    const { diagnostics } = await applied;
    expect(diagnostics.map(({ summary }) => summary)).toEqual(["Creation Stopped"]);
    expect(await launched.recorded()).toEqual(["framework_trouble.first"]);
    expect(await launched.reported()).toEqual([]);
    expect(await launched.running()).toEqual([]);
  });

  test("ends a call that hangs by an abort, and reports it", async ({ expect }) => {
    const launched = open("hang");
    const controller = new AbortController();
    const applied = (await launched.workspace.plan({ signal: controller.signal })).apply();
    applied.catch(() => undefined);
    await launched.log.waitFor(isFrameworkCreate, 2);
    controller.abort(new Error("enough"));
    await expect(applied).rejects.toThrow(/enough|cancel|abort/i);
    expect(await launched.recorded()).toEqual(["framework_trouble.first"]);
    expect(await launched.reported()).toEqual(["create framework_trouble.second"]);
    expect(await launched.running()).toEqual([]);
  });

  test("keeps the created object when the process is killed", async ({ expect }) => {
    const launched = open("hang");
    const applied = (await launched.workspace.plan()).apply();
    await launched.log.waitFor(isFrameworkCreate, 2);
    process.kill(launched.providers.at(-1)!.pid, "SIGKILL");
    expect((await applied).errored).toBe(true);
    expect(await launched.recorded()).toEqual(["framework_trouble.first"]);
    expect(readdirSync(join(launched.folder, "journal"))).toEqual(["default.journal"]);
    expect(await launched.reported()).toEqual(["create framework_trouble.second"]);
    expect(await launched.running()).toEqual([]);
  });
});

describe("an apply with a launched provider of provider-sdk", () => {
  const address = "example.com/tenon/trouble";
  let provider: PackagedProvider;
  beforeAll(() => {
    provider = packageExample("tests/interop/fixtures/trouble-main.ts", "--name", "trouble", "--version", "1.0.0", "--address", address);
  });
  afterAll(() => provider[Symbol.dispose]());

  test("reports the call without a response when the process ends", async ({ expect }) => {
    const launched = new Launched(
      address,
      () => `
terraform {
  required_providers {
    trouble = { source = "${address}" }
  }
}
resource "trouble_accident" "a" {
  kind = "rejects"
}
`,
      { command: join(provider.folder, "dev", "terraform-provider-trouble") },
    );
    const { diagnostics } = await (await launched.workspace.plan()).apply();
    expect(diagnostics.map(({ summary, address: at }) => [summary, at])).toEqual([["Provider call failed", "trouble_accident.a"]]);
    expect(await launched.reported()).toEqual(["create trouble_accident.a"]);
    expect(await launched.running()).toEqual([]);
  });
});
