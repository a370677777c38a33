// SPDX-License-Identifier: Apache-2.0
import { attr, type Component } from "@tenon/provider-sdk";
import type { Client } from "./client.ts";
import { dns } from "./dns.ts";

export const zones: Component<Client> = dns.dataSource("zones", {
  description: "Names of the existing zones.",
  schema: {
    suffix: attr.string({ optional: true, description: "Only names with this suffix." }),
    names: attr.list(attr.string(), { computed: true, description: "In alphabetical order." }),
  },
  read: async ({ config, client, signal }) => {
    const found = await Array.fromAsync(client.all<{ readonly name: string }>("/zones", signal), ({ name }) => name);
    return { ...config, names: found.filter((name) => name.endsWith(config.suffix ?? "")).toSorted() };
  },
});
