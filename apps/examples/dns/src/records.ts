// SPDX-License-Identifier: Apache-2.0
import { attr, type Component } from "@tenon/provider-sdk";
import { path, type Client } from "./client.ts";
import { dns } from "./dns.ts";
import { record, type RecordSet } from "./record.ts";

/** Lists existing records for `terraform query`. */
export const records: Component<Client> = dns.listResource(record, {
  description: "Records of a zone.",
  schema: { zone: attr.string({ required: true }) },
  // Requests a page only when its results are read.
  list: async function* ({ config, client, signal }) {
    for await (const found of client.all<RecordSet>(path("records", config.zone), signal)) {
      const { zone, name, type } = found;
      yield { identity: { zone, name, type }, displayName: `${name}.${zone} ${type}`, resource: found };
    }
  },
});
