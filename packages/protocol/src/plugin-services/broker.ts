// SPDX-License-Identifier: Apache-2.0
import { registration, type ServiceRegistration } from "../carrier/carrier.ts";
import { GRPCBroker } from "../gen/lean/plugin/grpc_broker_pb.ts";

/**
 * Creates the broker service of a plugin that opens no further connections; no provider does. It reads requests, and sends no responses.
 *
 * @see go-plugin grpc_broker.go
 */
export function brokerService(): ServiceRegistration {
  return registration(GRPCBroker, {
    // eslint-disable-next-line require-yield
    async *startStream(requests) {
      for await (const _ of requests);
    },
  });
}
