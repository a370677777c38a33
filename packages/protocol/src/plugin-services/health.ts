// SPDX-License-Identifier: Apache-2.0
import { Code, ConnectError } from "@connectrpc/connect";
import { registration, type ServiceRegistration } from "../carrier/carrier.ts";
import { Health, HealthCheckResponse_ServingStatus as ServingStatus } from "../gen/lean/grpc/health/v1/health_pb.ts";

/** Names of services in go-plugin's health checks: the plugin, and the whole server. */
const servedNames = new Set(["plugin", ""]);

/**
 * Creates the health check of a plugin: it reports that the service `plugin`, and the server as a whole, are serving.
 *
 * @see go-plugin grpc_server.go, Init; gRPC health checking protocol
 */
export function healthService(): ServiceRegistration {
  return registration(Health, {
    check({ service }) {
      if (!servedNames.has(service)) throw new ConnectError(`unknown service ${JSON.stringify(service)}`, Code.NotFound);
      return { status: ServingStatus.SERVING };
    },
    async *watch({ service }, { signal }) {
      yield { status: servedNames.has(service) ? ServingStatus.SERVING : ServingStatus.SERVICE_UNKNOWN };
      // The status never changes. The call ends with the connection.
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    },
  });
}
