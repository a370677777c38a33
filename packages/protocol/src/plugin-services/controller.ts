// SPDX-License-Identifier: Apache-2.0
import { registration, type ServiceRegistration } from "../carrier/carrier.ts";
import { GRPCController } from "../gen/lean/plugin/grpc_controller_pb.ts";

/** Maximum time that the callback waits for the response to be sent, in milliseconds. */
const maxResponseMs = 100;

/**
 * Creates the service with which a host shuts the plugin down.
 *
 * It responds immediately, even when other calls are running: a host waits for the response without a limit. Afterwards it calls
 * `onShutdown` once, which should close the server and end the process within two seconds, before the host kills it.
 *
 * @see go-plugin grpc_controller.go
 */
export function controllerService(onShutdown: () => void): ServiceRegistration {
  let called = false;
  const shutDown = (): void => {
    if (called) return;
    called = true;
    onShutdown();
  };
  return registration(GRPCController, {
    shutdown(_request, context) {
      setTimeout(shutDown, maxResponseMs);
      // Aborted when the response is complete; closing the server still sends it.
      context.signal.addEventListener("abort", shutDown, { once: true });
      return {};
    },
  });
}
