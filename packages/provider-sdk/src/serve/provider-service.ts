// SPDX-License-Identifier: Apache-2.0
import { type CarrierSession, registration, type ServiceRegistration, sessionKey } from "@tenon/protocol/carrier";
import type { Provider } from "@tenon/schema";

/** The provider's service in the negotiated protocol version. Loads the messages of that version only. */
export async function providerService(
  protocolVersion: number,
  instanceOf: (session: CarrierSession | undefined) => Provider,
): Promise<ServiceRegistration> {
  if (protocolVersion === 5) {
    const [{ Provider: service }, { createProviderService }] = await Promise.all([
      import("@tenon/protocol/tfplugin5"),
      import("@tenon/schema/wire/v5"),
    ]);
    return registration(
      service,
      createProviderService((context) => instanceOf(context.values.get(sessionKey))),
    );
  }
  const [{ Provider: service }, { createProviderService }] = await Promise.all([
    import("@tenon/protocol/tfplugin6"),
    import("@tenon/schema/wire/v6"),
  ]);
  return registration(
    service,
    createProviderService((context) => instanceOf(context.values.get(sessionKey))),
  );
}
