// SPDX-License-Identifier: Apache-2.0
import type { ApiClient } from "@tenon/bridge/kubernetes/machinery";
import { KubernetesServer } from "@tenon/peers/kubernetes";
import { afterAll, beforeAll } from "vitest";
import { adminClient } from "./kubernetes-setup.ts";

/** The API server of a test suite, and a client of its administrator. */
export interface KubernetesSuite {
  readonly server: KubernetesServer;
  readonly client: ApiClient;
}

/** Starts an API server before the tests of a suite, and ends it after them. */
export function kubernetesSuite(programs: Parameters<typeof KubernetesServer.start>[0]): KubernetesSuite {
  let server: KubernetesServer | undefined;
  let client: ApiClient | undefined;
  beforeAll(async () => {
    server = await KubernetesServer.start(programs);
    client = await adminClient(server);
  });
  afterAll(async () => {
    await client?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });
  return {
    get server() {
      return server!;
    },
    get client() {
      return client!;
    },
  };
}
