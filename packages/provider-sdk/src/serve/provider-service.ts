// SPDX-License-Identifier: Apache-2.0
import { type CarrierSession, type ServiceRegistration, sessionKey } from "@tenon/protocol/carrier";
import type { Provider } from "@tenon/schema";

/** Creates the provider's service in the negotiated protocol version. Loads the messages of that version only. */
export async function providerService(
  protocolVersion: number,
  instanceOf: (session: CarrierSession | undefined) => Provider,
): Promise<ServiceRegistration> {
  const { createProviderService } = await (protocolVersion === 5 ? import("@tenon/schema/wire/v5") : import("@tenon/schema/wire/v6"));
  return createProviderService((context) => instanceOf(context.values.get(sessionKey)));
}
