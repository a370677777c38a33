// SPDX-License-Identifier: Apache-2.0
import { createRouterTransport } from "@connectrpc/connect";
import type { Transport } from "@connectrpc/connect";
import type { Provider } from "../../src/index.ts";
import type { ProviderClientOptions } from "../../src/wire/client-calls.ts";
import type { ProvidedBy } from "../../src/wire/served-provider.ts";
import * as v5 from "../../src/wire/v5/index.ts";
import * as v6 from "../../src/wire/v6/index.ts";

const entries = { 5: v5, 6: v6 };

/** Creates a transport to the service of a provider in this process. */
export function transportTo(version: 5 | 6, provider: ProvidedBy): Transport {
  const { service, implementation } = entries[version].createProviderService(provider);
  return createRouterTransport((router) => void router.service(service, implementation));
}

/** Creates a client of a provider in this process. Messages are encoded and decoded in between. */
export function joinedProvider(version: 5 | 6, provider: ProvidedBy, options: Partial<ProviderClientOptions> = {}): Provider {
  return entries[version].createProviderClient(transportTo(version, provider), { close: () => Promise.resolve(), ...options });
}
