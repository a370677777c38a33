// SPDX-License-Identifier: Apache-2.0
import { Code, ConnectError } from "@connectrpc/connect";
import { registration, type ServiceRegistration } from "../carrier/carrier.ts";
import { Health, HealthCheckResponse_ServingStatus as ServingStatus } from "../gen/lean/grpc/health/v1/health_pb.ts";

/** The names go-plugin's servers know: its own, and the whole server. */
const known = new Set(["plugin", ""]);

/**
 * Says that the plugin serves, to whoever asks for `plugin`.
 *
 * @see go-plugin grpc_server.go, Init; gRPC health checking protocol
 */
export function healthService(): ServiceRegistration {
  return registration(Health, {
    check({ service }) {
      if (!known.has(service)) throw new ConnectError(`unknown service ${JSON.stringify(service)}`, Code.NotFound);
      return { status: ServingStatus.SERVING };
    },
    async *watch({ service }, { signal }) {
      yield { status: known.has(service) ? ServingStatus.SERVING : ServingStatus.SERVICE_UNKNOWN };
      // Nothing ever changes until the server goes, and that ends the call.
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    },
  });
}
