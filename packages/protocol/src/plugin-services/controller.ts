// SPDX-License-Identifier: Apache-2.0
import { registration, type ServiceRegistration } from "../carrier/carrier.ts";
import { GRPCController } from "../gen/lean/plugin/grpc_controller_pb.ts";

/** How long the answer may take to leave before the callback comes all the same, in milliseconds. */
const patience = 100;

/**
 * Lets a host end the plugin.
 *
 * The answer goes out at once, whatever is still running: a host waits for it without limit. Then, once, `onShutdown` is
 * called; it should close the server and leave within two seconds, before the host kills the process.
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
      setTimeout(shutDown, patience);
      // Aborts when the answer is made; closing the server lets it leave.
      context.signal.addEventListener("abort", shutDown, { once: true });
      return {};
    },
  });
}
