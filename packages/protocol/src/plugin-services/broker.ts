// SPDX-License-Identifier: Apache-2.0
import { registration, type ServiceRegistration } from "../carrier/carrier.ts";
import { GRPCBroker } from "../gen/lean/plugin/grpc_broker_pb.ts";

/**
 * The broker of a plugin that needs no further connections, as no provider does: takes what it is told and says nothing.
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
