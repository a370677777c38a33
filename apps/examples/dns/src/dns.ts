// SPDX-License-Identifier: Apache-2.0
// What every component of this provider is made from.
import { attr, defineProvider, matches, type ProviderDefinition } from "@tenon/provider-sdk";
import { Client } from "./client.ts";

export const dns: ProviderDefinition<Client> = defineProvider({
  name: "dns",
  version: "1.0.0",
  description: "Zones, records and keys of a name service.",
  schema: {
    endpoint: attr.string({ required: true, description: "Where the service is.", validators: [matches(/^https?:\/\//, "a URL")] }),
    token: attr.string({
      optional: true,
      sensitive: true,
      description: "Who has it may do everything. Default: the environment variable `DNS_TOKEN`.",
    }),
  },
  configure: ({ config: { endpoint, token }, userAgent }) => {
    const found = token ?? process.env["DNS_TOKEN"];
    if (!found) throw new Error("there is no token: set it in the provider's configuration, or DNS_TOKEN in the environment");
    return new Client({ endpoint, token: found, userAgent });
  },
});
