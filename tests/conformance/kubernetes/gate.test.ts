// SPDX-License-Identifier: Apache-2.0
import { provider as dns } from "@tenon/example-dns";
import { provider as notebook } from "@tenon/example-notebook";
import { provider as tfcoremock } from "@tenon/example-tfcoremock";
import { findPeer, type PeerName } from "@tenon/peers";
import { KubernetesServer } from "@tenon/peers/kubernetes";
import { describePeer } from "@tenon/peers/vitest";
import { launchProvider } from "@tenon/plugin-host";
import { createProvider, type ServedProvider } from "@tenon/provider-sdk";
import type { Provider } from "@tenon/schema";
import { afterAll, beforeAll, test } from "vitest";
import { createReport, tryCases, tryProvider } from "./trial.ts";

/** `npm run fuzz -- kubernetes` tries more cases, with a new seed. */
const run = { seed: 20262, schemas: 60, objects: 5 };

describePeer(["kube-apiserver", "etcd"], "custom resources of a real API server", (programs) => {
  let server: KubernetesServer;
  beforeAll(async () => void (server = await KubernetesServer.start(programs)));
  afterAll(() => server?.[Symbol.asyncDispose]());

  test("are accepted, read as they are written, and refused when they are invalid, for random resource types", async ({ expect }) => {
    const report = createReport();
    await tryCases(report, server, run);
    expect(report.failures.join("\n")).toBe("");
    expect([report.definitions, report.passed]).toEqual([run.schemas, run.schemas * run.objects]);
    // Every outcome must occur.
    for (const outcome of ["valid, equal", "valid, rounded", "state, equal", "wrong type", "unknown field", "missing field"]) {
      const count = [...report.outcomes].filter(([name]) => name.startsWith(outcome)).reduce((sum, [, one]) => sum + one, 0);
      expect(count, outcome).toBeGreaterThan(10);
    }
  });

  const examples: readonly (readonly [string, ServedProvider])[] = [
    ["dns", dns],
    ["notebook", notebook],
    ["tfcoremock", tfcoremock],
  ];

  test.concurrent.for(examples)("are accepted for every resource type of the example %s", async ([name, served], { expect }) => {
    await using provider = createProvider(served);
    expect(await failuresOf(name, provider)).toEqual([]);
  });

  const peers = [
    "provider-time",
    "framework-provider",
    "sdkv2-provider",
    "bare-provider",
    "pyvider-provider",
  ] as const satisfies readonly PeerName[];

  test.concurrent.for(peers)("are accepted for every resource type of %s", async (name, { expect, skip }) => {
    const peer = findPeer(name);
    skip(peer === undefined, `${name} is not built`);
    await using provider = await launchProvider({ command: [peer!.path] });
    expect(await failuresOf(name, provider)).toEqual([]);
  });

  async function failuresOf(name: string, provider: Provider): Promise<readonly string[]> {
    const { resources } = await provider.getProviderSchema({});
    const report = createReport();
    await tryProvider(report, server, new Map(resources), { seed: run.seed, area: name, objects: 10 });
    if (report.definitions === 0) report.failures.push("the provider has no resource types");
    return report.failures;
  }
});
