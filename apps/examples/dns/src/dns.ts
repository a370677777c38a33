// SPDX-License-Identifier: Apache-2.0
// The provider definition that every component uses.
import { attr, defineProvider, type ProviderDefinition } from "@tenon/provider-sdk";
import { matches } from "@tenon/provider-sdk/validators";
import { Client } from "./client.ts";

export const dns: ProviderDefinition<Client> = defineProvider({
  name: "dns",
  version: "1.0.0",
  description: "Zones, records and keys of a DNS service.",
  schema: {
    endpoint: attr.string({ required: true, description: "URL of the service.", validators: [matches(/^https?:\/\//, "a URL")] }),
    token: attr.string({
      optional: true,
      sensitive: true,
      description: "Token that authorises every request. Default: the environment variable `DNS_TOKEN`.",
    }),
  },
  configure: ({ config: { endpoint, token }, userAgent }) => {
    const found = token ?? process.env["DNS_TOKEN"];
    if (!found) throw new Error("no token: set it in the provider's configuration, or DNS_TOKEN in the environment");
    return new Client({ endpoint, token: found, userAgent });
  },
});
