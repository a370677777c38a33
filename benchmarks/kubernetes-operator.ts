// SPDX-License-Identifier: Apache-2.0
// The operator that `npm run bench -- kubernetes` measures: `kubernetes-operator.ts <kubeconfig> <group> <poll ms> <health port> <provider>`.
import { runOperator } from "@tenon/bridge/kubernetes";
import { findClusterAccess } from "@tenon/bridge/kubernetes/machinery";
import { openProvider } from "@tenon/plugin-host";

const [kubeconfig, group, pollMs, healthPort, provider] = process.argv.slice(2) as [string, string, string, string, string];
await runOperator(
  {
    name: "bench",
    group,
    resources: ["bench_note"],
    providerAddress: "example.com/tenon/bare",
    open: async (options) => (await openProvider([provider], options)).provider,
  },
  {
    access: await findClusterAccess({ kubeconfig }),
    environment: { POD_NAME: "one", POD_NAMESPACE: "default", HEALTH_PORT: healthPort, SHARDS: "1", LOG_LEVEL: "error" },
    pollMs: Number(pollMs),
    pollJitter: 0,
  },
);
