// SPDX-License-Identifier: Apache-2.0
// Custom resources and tofu lead the same lives of resources: configurations, prior and planned values are equal in every plan and apply that
// changes something. Both use instances of one provider, whose calls are recorded.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApiClient } from "@tenon/bridge/kubernetes/machinery";
import { provider as notebook } from "@tenon/example-notebook";
import { KubernetesServer } from "@tenon/peers/kubernetes";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider } from "@tenon/plugin-host";
import { createProvider } from "@tenon/provider-sdk";
import type { Provider } from "@tenon/schema";
import { afterAll, beforeAll, test, vi } from "vitest";
import { OurSide, TheirSide, type Changes } from "./kubernetes-life-sides.ts";
import { lives, type Life } from "./kubernetes-lives.ts";
import { adminClient } from "./kubernetes-setup.ts";

// Each step starts processes of tofu, which takes long on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const peers = ["kube-apiserver", "etcd", "tofu", "framework-provider", "sdkv2-provider", "provider-time"] as const;

describePeer(peers, "custom resources and tofu", (programs) => {
  let api: KubernetesServer;
  let client: ApiClient;
  let root: string;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "tenon-kubernetes-tofu-"));
    api = await KubernetesServer.start(programs);
    client = await adminClient(api);
  });
  afterAll(async () => {
    await client?.[Symbol.asyncDispose]();
    await api?.[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  });

  async function open({ peer }: Life): Promise<Provider> {
    return peer === undefined ? createProvider(notebook) : await launchProvider({ command: programs[peer].path });
  }

  test.for(Object.entries(lives))("lead the same life of %s", async ([name, life], { expect }) => {
    const folders = ["ours", "theirs"].map((side) => join(root, name.replaceAll(/\W/g, "-"), side)) as [string, string];
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    await using ours = await OurSide.start(client, await open(life), life, folders[0]);
    await using theirs = await TheirSide.start(programs.tofu.path, () => open(life), life, folders[1]);
    for (const [index, step] of life.steps.entries()) {
      for (const folder of folders) await step.meanwhile?.(folder);
      const expected = await theirs.lead(step);
      expect(withPaths(await ours.lead(step, expected), folders[0]), `step ${index + 1}`).toEqual(withPaths(expected, folders[1]));
    }
  });
});

function withPaths(changes: Changes, folder: string): Changes {
  return JSON.parse(JSON.stringify(changes).replaceAll(folder, "(folder)")) as Changes;
}
