// SPDX-License-Identifier: Apache-2.0
import type { DescService } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import type { CarrierClient } from "./carrier.ts";

/** Calls of a service: a method for each RPC. */
export type ServiceClient<Service extends DescService> = Client<Service>;

/** Creates a client that calls a service over an open connection. */
export function createServiceClient<Service extends DescService>(
  service: Service,
  { transport }: Pick<CarrierClient, "transport">,
): ServiceClient<Service> {
  return createClient(service, transport);
}
