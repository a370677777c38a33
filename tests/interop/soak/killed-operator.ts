// SPDX-License-Identifier: Apache-2.0
// An operator for the notes of a notebook, until it is killed: `killed-operator.ts <kubeconfig> <database> <group> <latency>`.
import { KindController, mapProviderKinds, ownerLabel, StateStore, type Secret } from "@tenon/bridge/kubernetes";
import { ApiClient, EventRecorder, findClusterAccess, ObjectCache, secrets, StructuredLog } from "@tenon/bridge/kubernetes/machinery";
import { provider as notebook } from "@tenon/example-notebook";
import { createProvider } from "@tenon/provider-sdk";
import { resourceType } from "@tenon/schema/lifecycle";
import { configuration } from "../go-provider.ts";

const [kubeconfig, path, group, latency] = process.argv.slice(2) as [string, string, string, string];
const client = await ApiClient.open(await findClusterAccess({ kubeconfig }));
const provider = createProvider(notebook);
const { provider: schema } = await provider.getProviderSchema({});
await provider.configureProvider({ terraformVersion: "1.12.6", config: configuration(schema!, { path, latency_ms: Number(latency) }) });
const type = await resourceType(provider, "notebook_note", { providerAddress: "example.com/tenon/notebook" });
const [kind] = await mapProviderKinds(provider, { group, resources: ["notebook_note"] });
const states = new ObjectCache<Secret>(client, secrets, { labelSelector: ownerLabel });
const controller = new KindController({
  client,
  kind: kind!,
  version: "v1alpha1",
  states: new StateStore({ client, clusterNamespace: "default", cache: states.objects }),
  events: new EventRecorder(client, { controller: "tenon.dev/test", instance: String(process.pid) }),
  connect: async () => type,
  relatedKind: () => undefined,
  pollMs: 3_600_000,
  log: new StructuredLog({ level: "error" }),
  queue: { initialDelayMs: 50, maxDelayMs: 500, repeatsPerSecond: 1_000 },
});
const never = new AbortController().signal;
void states.run(never);
void controller.run(never, never);
await Promise.all([states.synced, controller.synced]);
console.log("ready");
